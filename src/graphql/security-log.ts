import type { Logger } from 'pino';
import type { Actor } from '../accounts/index.js';
import type { HearSecurityEvent, SecurityEvent } from './security-events.js';
import type { RequestContext } from './context.js';

/** One JSON line an event; what is refused is a warning. */
export function securityLog(log: Pick<Logger, 'info' | 'warn'>): HearSecurityEvent {
  return (event) => {
    if (event.outcome === 'ok') log.info(event, messageOf(event));
    else log.warn(event, messageOf(event));
  };
}

/** Tells of a token that was refused, for whatever it was sent; that none came is nothing to tell. */
export function tellOfRefusedToken(hear: HearSecurityEvent, actor: Actor, { requestId, client }: Pick<RequestContext, 'requestId' | 'client'>): void {
  if (actor.kind !== 'anonymous' || actor.problem.reason === 'TOKEN_MISSING') return;
  hear({ event: 'denial', outcome: 'refused', reason: actor.problem.reason, requestId, userId: null, address: client.address });
}

/** Words of ours only. */
function messageOf({ event, outcome }: SecurityEvent): string {
  return `Security: ${event} ${outcome}`;
}
