import type { Logger } from 'pino';
import type { AnonymousActor } from '../../accounts/identity/actor.js';
import { eventPrincipals, requestOrigin, type EventOrigin, type SecurityEventSink } from './security-event.js';

/** Creates a sink that logs one JSON line per event; rejections as warnings. */
export function createSecurityLogger(log: Pick<Logger, 'info' | 'warn'>): SecurityEventSink {
  return (event) => {
    const message = `Security: ${event.event} ${event.outcome}`;
    if (event.outcome === 'ok') log.info(event, message);
    else log.warn(event, message);
  };
}

/** Emits an event for a rejected access token, whichever operation it was sent for. A missing token emits none. */
export function emitTokenRejected(
  emit: SecurityEventSink,
  origin: EventOrigin & { readonly actor: AnonymousActor },
): void {
  const { reason, subject } = origin.actor.authenticationError;
  if (reason === 'TOKEN_MISSING') return;
  emit({
    event: 'denial',
    outcome: 'refused',
    reason,
    ...eventPrincipals(origin, subject),
    ...requestOrigin(origin),
  });
}
