import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { GraphQLError } from 'graphql';
import type { FieldError, RateLimitPolicy } from '../errors/index.js';
import type { RequestContext } from '../graphql/context/request-context.js';
import type { Executor } from '../graphql/execution/executor.js';
import { toRestFieldErrors } from './case-mapping.js';
import { INTERNAL_ERROR, type ErrorDescriptor } from './problem-details.js';

/** Carries what an operation refused out of the adapter's way. */
export class OperationError extends Error {
  readonly refusal: ErrorDescriptor;

  constructor(refusal: ErrorDescriptor) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/**
 * Runs one operation in process and gives its data.
 *
 * @param fieldNames what GraphQL calls a field, and REST another way than by snake_case
 * @throws OperationError with what its first error says; a partial answer counts as none
 */
export async function runOperation<Data, Variables>(
  executor: Executor,
  operation: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  context: RequestContext,
  fieldNames: Readonly<Record<string, string>>,
): Promise<Data> {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- variables are objects; the generated types do not say so
  const request = { variables: variables as Readonly<Record<string, unknown>> };
  const { data, errors } = await executor.executeDocument(operation, request, context);
  const [error] = errors ?? [];
  if (error !== undefined) throw new OperationError(refusalOf(error, fieldNames));
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the operation's generated type says what it selects
  return data as Data;
}

/** Errors come from the executor in their public form: what is in their extensions may be shown. */
function refusalOf(
  { message, extensions }: GraphQLError,
  fieldNames: Readonly<Record<string, string>>,
): ErrorDescriptor {
  const { code, reason, fields, retryAfterSeconds, policy } = extensions;
  if (typeof code !== 'string' || typeof reason !== 'string') return INTERNAL_ERROR;
  return {
    code,
    reason,
    message,
    fields: isFieldErrors(fields) ? toRestFieldErrors(fields, fieldNames) : undefined,
    retryAfterSeconds: typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined,
    policy: isPolicy(policy) ? policy : undefined,
  };
}

function isFieldErrors(value: unknown): value is readonly FieldError[] {
  return Array.isArray(value);
}

function isPolicy(value: unknown): value is RateLimitPolicy {
  return typeof value === 'object' && value !== null && 'quota' in value;
}
