import type { GraphQLResolveInfo } from 'graphql';
import type { IdempotentOperation } from '../../accounts/index.js';
import type { RequestContext } from './request-context.js';

/**
 * Creates the idempotent operation of one field of a document. Each alias is an operation of its own.
 *
 * @returns null without an Idempotency-Key
 */
export function toIdempotentOperation(
  { actor, idempotencyKey }: RequestContext,
  { fieldName, path }: Pick<GraphQLResolveInfo, 'fieldName' | 'path'>,
  input: object,
): IdempotentOperation | null {
  return idempotencyKey === null
    ? null
    : { key: idempotencyKey, operation: `${fieldName} ${String(path.key)}`, actor, input };
}
