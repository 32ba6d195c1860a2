import type { GraphQLSchema } from 'graphql';
import type { ErrorSubject } from '../../errors/index.js';
import type { RequestContext } from '../context/request-context.js';
import { eventPrincipals, requestOrigin, type SecurityEvent, type SecurityEventSink } from '../security-events/security-event.js';

/** What a success is called; null for one that is nothing to tell. */
type Told = string | ((result: unknown) => string | null);

/** The mutations that matter to security. */
const EVENT_BY_MUTATION = {
  register: 'registration',
  issueToken: 'login',
  refreshToken: 'refresh',
  // A token that is not known is no error, and ends nothing.
  revokeToken: (result) => (valueAt(result, 'revokedSessions') === 0 ? null : 'revocation'),
  revokeSession: 'revocation',
  verifyEmail: 'email-verified',
  updateProfile: (result) => (valueAt(result, 'user', 'isChangingEmail') === true ? 'email-change' : 'profile-change'),
  changePassword: 'password-changed',
  resetPassword: 'password-reset',
  deleteAccount: 'account-deleted',
  setUserDisabled: 'admin-action',
  setUserRole: 'admin-action',
  retryFollowUp: 'admin-action',
  createApiKey: 'admin-action',
  revokeApiKey: 'admin-action',
} as const satisfies Readonly<Record<string, Told>>;

/** Has the mutations that matter to security tell of their success: here alone their results are seen whole, whatever was selected. */
export function withSuccessEvents(schema: GraphQLSchema, emit: SecurityEventSink): GraphQLSchema {
  const fields = schema.getMutationType()?.getFields() ?? {};
  for (const [name, told] of Object.entries<Told>(EVENT_BY_MUTATION)) {
    const field = fields[name];
    const resolve = field?.resolve;
    if (field === undefined || resolve === undefined) throw new Error(`There is no mutation ${name} to tell of`);
    field.resolve = async (source, args, context: RequestContext, info) => {
      const result: unknown = await resolve(source, args, context, info);
      const event = typeof told === 'string' ? told : told(result);
      const about = subjectOf(result);
      const people =
        field.extensions.public === true ? verifiedPrincipal(context, about) : eventPrincipals(context, about);
      if (event !== null) emit({ event, outcome: 'ok', operation: name, ...people, ...requestOrigin(context) });
      return result;
    };
  }
  return schema;
}

/** Whoever does what takes no token has shown in another way who they are, whatever token they send along. */
function verifiedPrincipal(
  context: RequestContext,
  about: ErrorSubject,
): Pick<SecurityEvent, 'userId' | 'subjectId' | 'apiKeyId'> {
  return about.userId === undefined ? eventPrincipals(context, about) : { userId: about.userId };
}

function subjectOf(result: unknown): ErrorSubject {
  return {
    userId: textAt(result, 'user', 'id') ?? textAt(result, 'userId') ?? textAt(result, 'followUp', 'userId'),
    apiKeyId: textAt(result, 'apiKey', 'id'),
  };
}

function textAt(result: unknown, ...path: readonly string[]): string | undefined {
  const value = valueAt(result, ...path);
  return typeof value === 'string' ? value : undefined;
}

function valueAt(result: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
    result,
  );
}
