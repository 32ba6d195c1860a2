import type { GraphQLResolveInfo } from 'graphql';
import { Extensions, UseMiddleware, type MiddlewareFn } from 'type-graphql';
import type { ErrorSubject } from '../../errors/index.js';
import type { RequestContext } from '../context/request-context.js';
import { eventPrincipals, requestOrigin, type SecurityEvent } from '../security-events/security-event.js';
import { isPublic } from './public.js';

/** The name of the event of a success. The function returns null for a result that emits no event. */
type EventName<Result> = string | ((result: Result) => string | null);

/** Decorates a mutation whose use case returns a `Result`. */
type MutationDecorator<Result> = <Method extends (...args: never[]) => Promise<Result>>(
  target: object,
  name: string,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;

/**
 * Emits a security event after each success of the mutation. `emitRejectionEvents` emits those of errors.
 *
 * @param subjectOf the account and the API key that the result is about; none by default
 */
export function AuditedAs<Result>(
  event: EventName<Result>,
  subjectOf: (result: Result) => ErrorSubject = () => ({}),
): MutationDecorator<Result> {
  const emitSuccess: MiddlewareFn<RequestContext> = async ({ context, info }, next) => {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the type of the decorated method says so
    const result = (await next()) as Result;
    const name = typeof event === 'string' ? event : event(result);
    if (name !== null) context.emitSecurityEvent(successEvent(name, subjectOf(result), context, info));
    return result;
  };
  return (target, name) => {
    Extensions({ audited: true })(target, name);
    UseMiddleware(emitSuccess)(target, name);
  };
}

/** Marks a mutation whose success emits no security event. */
export function NotAudited(): ReturnType<typeof Extensions> {
  return Extensions({ audited: false });
}

function successEvent(
  event: string,
  subject: ErrorSubject,
  context: RequestContext,
  { parentType, fieldName }: GraphQLResolveInfo,
): SecurityEvent {
  const field = parentType.getFields()[fieldName];
  const principals =
    field !== undefined && isPublic(field) ? verifiedPrincipal(context, subject) : eventPrincipals(context, subject);
  return { event, outcome: 'ok', operation: fieldName, ...principals, ...requestOrigin(context) };
}

/** A public mutation verifies its account by a password or a secret. An access token in the request is ignored. */
function verifiedPrincipal(
  context: RequestContext,
  subject: ErrorSubject,
): Pick<SecurityEvent, 'userId' | 'subjectId' | 'apiKeyId'> {
  return subject.userId === undefined ? eventPrincipals(context, subject) : { userId: subject.userId };
}
