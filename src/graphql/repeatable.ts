import type { GraphQLResolveInfo } from 'graphql';
import type { RepeatableRequest } from '../accounts/index.js';
import type { RequestContext } from './context.js';

/** One field of a document, as a request that may come again: each alias counts on its own. Null without an Idempotency-Key. */
export function repeatable(
  { actor, idempotencyKey }: RequestContext,
  { fieldName, path }: Pick<GraphQLResolveInfo, 'fieldName' | 'path'>,
  input: object,
): RepeatableRequest | null {
  return idempotencyKey === null ? null : { key: idempotencyKey, operation: `${fieldName} ${String(path.key)}`, actor, input };
}
