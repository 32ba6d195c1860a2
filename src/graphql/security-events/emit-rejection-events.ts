import type { GraphQLError } from 'graphql';
import type { DomainError, ErrorKind, Reason } from '../../errors/index.js';
import type { RequestContext } from '../context/request-context.js';
import { unwrapDomainError } from '../errors/public-error.js';
import type { ResolvedOperation } from '../execution/executor.js';
import { rootFields } from '../documents/root-fields.js';
import { eventPrincipals, requestOrigin, type SecurityEventSink } from './security-event.js';

/** Refusals of these kinds are told of, whatever was asked for. */
const EVENT_BY_MUTATION: Readonly<Partial<Record<ErrorKind, string>>> = {
  Forbidden: 'denial',
  RateLimited: 'limit',
  Unauthenticated: 'denial',
};

/** What a refusal is called where the reason says more than its kind. */
const EVENT_BY_REASON: Readonly<Partial<Record<Reason, string>>> = {
  WRONG_CREDENTIALS: 'login',
  REFRESH_INVALID: 'refresh',
  REFRESH_REUSED: 'theft',
};

/** Tells of the errors that are refusals and matter to security: once for each root field and reason, however much below it was refused. */
export function emitRejectionEvents(
  emit: SecurityEventSink,
  errors: readonly GraphQLError[],
  found: ResolvedOperation,
  context: RequestContext,
): void {
  const emitted = new Set<string>();
  for (const error of errors) {
    const refusal = unwrapDomainError(error);
    const event = refusal === null ? undefined : nameOf(refusal, context);
    if (refusal === null || event === undefined) continue;
    const key = error.path?.[0];
    const once = JSON.stringify([key, refusal.reason]);
    if (emitted.has(once)) continue;
    emitted.add(once);
    const name = fieldNameOf(found, key);
    emit({
      event,
      outcome: 'refused',
      reason: refusal.reason,
      ...(name === undefined ? {} : { operation: name }),
      ...eventPrincipals(context, refusal.subject),
      ...requestOrigin(context),
    });
  }
}

/** Undefined for what is nothing to tell. Why a token was refused is told where it is read, and that none came is nothing to tell. */
function nameOf({ kind, reason, subject }: DomainError, { actor }: RequestContext): string | undefined {
  // A repeated registration verifies the account's password; any other reuse of a key concerns no account.
  if (reason === 'IDEMPOTENCY_KEY_REUSED') return subject.userId === undefined ? undefined : 'login';
  return actor.kind === 'anonymous' && reason === actor.authenticationError.reason
    ? undefined
    : (EVENT_BY_REASON[reason] ?? EVENT_BY_MUTATION[kind]);
}

/** The name of a root field by what the answer calls it, which the client may have made up. */
function fieldNameOf({ document, operation }: ResolvedOperation, key: string | number | undefined): string | undefined {
  return rootFields(document, operation).find(({ alias, name }) => (alias ?? name).value === key)?.name.value;
}
