import type { GraphQLResolveInfo } from 'graphql';
import type { IdempotentOperation } from '../../accounts/index.js';
import type { RequestContext } from './request-context.js';

/** One field of a document, as a request that may come again: each alias counts on its own. Null without an Idempotency-Key. */
export function toIdempotentOperation(
  { actor, idempotencyKey }: RequestContext,
  { fieldName, path }: Pick<GraphQLResolveInfo, 'fieldName' | 'path'>,
  input: object,
): IdempotentOperation | null {
  return idempotencyKey === null
    ? null
    : { key: idempotencyKey, operation: `${fieldName} ${String(path.key)}`, actor, input };
}
