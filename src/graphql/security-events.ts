import { type GraphQLError, type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import { CATALOGUE } from '../errors/index.js';
import type { RequestContext } from './context.js';

/** Something that matters to security and came of an operation. It names accounts by their ids, and repeats nothing that was sent. */
export interface SecurityEvent {
  readonly event: string;
  readonly outcome: 'ok' | 'refused';
  /** Why it was refused. */
  readonly reason?: string;
  /** The field of Query or Mutation that it came of. */
  readonly operation?: string;
  readonly requestId: string;
  /** Who asked, or who that turned out to be; null for nobody known. */
  readonly userId: string | null;
  /** Whom it concerns, where that is somebody else. */
  readonly subjectId?: string;
  readonly apiKeyId?: string;
  readonly address: string | null;
}

export type HearSecurityEvent = (event: SecurityEvent) => void;

/** What is told of when it succeeds. */
const TOLD = {
  register: 'registration',
  issueToken: 'login',
  revokeToken: 'revocation',
  revokeSession: 'revocation',
  verifyEmail: 'email-verified',
  changePassword: 'password-changed',
  resetPassword: 'password-reset',
  deleteAccount: 'account-deleted',
  setUserDisabled: 'admin-action',
  setUserRole: 'admin-action',
  retryFollowUp: 'admin-action',
  createApiKey: 'admin-action',
  revokeApiKey: 'admin-action',
} as const satisfies Readonly<Record<string, string>>;

/** Refusals of these kinds are told of, whatever was asked for. */
const REFUSALS: Readonly<Record<string, string>> = {
  [CATALOGUE.Forbidden.code]: 'denial',
  [CATALOGUE.RateLimited.code]: 'limit',
  [CATALOGUE.Unauthenticated.code]: 'denial',
};

/** What a refusal is called where the reason says more than its kind. */
const BY_REASON: Readonly<Record<string, string>> = { WRONG_CREDENTIALS: 'login', REFRESH_INVALID: 'refresh', REFRESH_REUSED: 'theft' };

/** Has the mutations that matter to security tell of their success: here alone their results are seen whole, whatever was selected. */
export function tellOfSuccess(schema: GraphQLSchema, hear: HearSecurityEvent): GraphQLSchema {
  const fields = schema.getMutationType()?.getFields() ?? {};
  for (const [name, event] of Object.entries(TOLD)) {
    const field = fields[name];
    const resolve = field?.resolve;
    if (field === undefined || resolve === undefined) throw new Error(`There is no mutation ${name} to tell of`);
    field.resolve = async (source, args, context: RequestContext, info) => {
      const result: unknown = await resolve(source, args, context, info);
      hear({ event, outcome: 'ok', operation: name, ...peopleOf(context, result), ...whereFrom(context) });
      return result;
    };
  }
  return schema;
}

/** Tells of an error in its public form, if it is a refusal that matters to security. */
export function tellOfRefusal(hear: HearSecurityEvent, { path, extensions: { code, reason } }: GraphQLError, operation: OperationDefinitionNode, context: RequestContext): void {
  if (typeof code !== 'string' || typeof reason !== 'string') return;
  const event = BY_REASON[reason] ?? REFUSALS[code];
  // Why a token was refused is told where it is read, and that none came is nothing to tell.
  if (event === undefined || (context.actor.kind === 'anonymous' && reason === context.actor.problem.reason)) return;
  const name = fieldNameOf(operation, path?.[0]);
  hear({ event, outcome: 'refused', reason, ...(name === null ? {} : { operation: name }), ...peopleOf(context, null), ...whereFrom(context) });
}

function whereFrom({ requestId, client }: RequestContext): Pick<SecurityEvent, 'requestId' | 'address'> {
  return { requestId, address: client.address };
}

function peopleOf({ actor }: RequestContext, result: unknown): Pick<SecurityEvent, 'userId' | 'subjectId' | 'apiKeyId'> {
  const found = userIdIn(result);
  switch (actor.kind) {
    case 'anonymous': return { userId: found };
    case 'service': return { userId: found, apiKeyId: actor.apiKeyId };
    case 'user': return { userId: actor.userId, ...(found === null || found === actor.userId ? {} : { subjectId: found }) };
  }
}

function userIdIn(result: unknown): string | null {
  if (typeof result !== 'object' || result === null || !('user' in result)) return null;
  const { user } = result;
  return typeof user === 'object' && user !== null && 'id' in user && typeof user.id === 'string' ? user.id : null;
}

/** The name of a root field by what the answer calls it, which the client has made up; null within a fragment. */
function fieldNameOf({ selectionSet: { selections } }: OperationDefinitionNode, key: string | number | undefined): string | null {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD && (selection.alias ?? selection.name).value === key) return selection.name.value;
  }
  return null;
}
