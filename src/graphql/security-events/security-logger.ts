import type { Logger } from 'pino';
import type { Actor } from '../../accounts/index.js';
import type { RequestContext } from '../context/request-context.js';
import { eventPrincipals, requestOrigin, type SecurityEvent, type SecurityEventSink } from './security-event.js';

/** One JSON line an event; what is refused is a warning. */
export function createSecurityLogger(log: Pick<Logger, 'info' | 'warn'>): SecurityEventSink {
  return (event) => {
    if (event.outcome === 'ok') log.info(event, messageOf(event));
    else log.warn(event, messageOf(event));
  };
}

/** Tells of a token that was refused, for whatever it was sent; that none came is nothing to tell. */
export function emitTokenRejected(
  emit: SecurityEventSink,
  actor: Actor,
  facts: Pick<RequestContext, 'requestId' | 'client'>,
): void {
  if (actor.kind !== 'anonymous' || actor.authenticationError.reason === 'TOKEN_MISSING') return;
  const { reason, subject } = actor.authenticationError;
  emit({
    event: 'denial',
    outcome: 'refused',
    reason,
    ...eventPrincipals({ actor }, subject),
    ...requestOrigin(facts),
  });
}

/** Words of ours only. */
function messageOf({ event, outcome }: SecurityEvent): string {
  return `Security: ${event} ${outcome}`;
}
