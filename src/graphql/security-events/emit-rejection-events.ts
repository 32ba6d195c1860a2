import type { GraphQLError } from 'graphql';
import type { DomainError, ErrorKind, Reason } from '../../errors/index.js';
import type { ResolvedOperation } from '../documents/resolved-operation.js';
import { rootFields } from '../documents/root-fields.js';
import { unwrapDomainError } from '../errors/public-error.js';
import { eventPrincipals, requestOrigin, type EventOrigin, type SecurityEventSink } from './security-event.js';

/** Errors of these kinds emit an event, whatever the operation. */
const EVENT_BY_KIND: Readonly<Partial<Record<ErrorKind, string>>> = {
  Forbidden: 'denial',
  RateLimited: 'limit',
  Unauthenticated: 'denial',
};

/** More specific events; a reason takes precedence over its kind. */
const EVENT_BY_REASON: Readonly<Partial<Record<Reason, string>>> = {
  WRONG_CREDENTIALS: 'login',
  REFRESH_INVALID: 'refresh',
  REFRESH_REUSED: 'theft',
};

/** Emits a security event for each security-relevant domain error, once per root field and reason. */
export function emitRejectionEvents(
  errors: readonly GraphQLError[],
  operation: ResolvedOperation,
  origin: EventOrigin & { readonly emitSecurityEvent: SecurityEventSink },
): void {
  const emitted = new Set<string>();
  for (const error of errors) {
    const rejection = unwrapDomainError(error);
    const event = rejection === null ? undefined : eventOf(rejection, origin);
    if (rejection === null || event === undefined) continue;
    const responseKey = error.path?.[0];
    const identity = JSON.stringify([responseKey, rejection.reason]);
    if (emitted.has(identity)) continue;
    emitted.add(identity);
    const fieldName = fieldNameOf(operation, responseKey);
    origin.emitSecurityEvent({
      event,
      outcome: 'refused',
      reason: rejection.reason,
      ...(fieldName === undefined ? {} : { operation: fieldName }),
      ...eventPrincipals(origin, rejection.subject),
      ...requestOrigin(origin),
    });
  }
}

/** Undefined for no event. Authentication errors emit theirs in `emitTokenRejected`, when the token is read. */
function eventOf({ kind, reason, subject }: DomainError, { actor }: Pick<EventOrigin, 'actor'>): string | undefined {
  // A repeated registration verifies the password of an account. Any other reuse of a key concerns no account.
  if (reason === 'IDEMPOTENCY_KEY_REUSED') return subject.userId === undefined ? undefined : 'login';
  return actor.kind === 'anonymous' && reason === actor.authenticationError.reason
    ? undefined
    : (EVENT_BY_REASON[reason] ?? EVENT_BY_KIND[kind]);
}

/** The name of the root field with that response key. The response key itself may be an alias, so it is not logged. */
function fieldNameOf(resolved: ResolvedOperation, responseKey: string | number | undefined): string | undefined {
  return rootFields(resolved).find(({ alias, name }) => (alias ?? name).value === responseKey)?.name.value;
}
