import { GraphQLError, type ASTNode } from 'graphql';
import type { DocumentLimits } from './operation-limits.js';

const MESSAGES: Readonly<Record<keyof DocumentLimits, (most: string, size: string) => string>> = {
  tokens: (most) => `The document has more than ${most} tokens.`,
  depth: (most, size) => `The operation has fields ${size} levels deep. At most ${most} levels are allowed.`,
  aliases: (most, size) => `The operation has ${size} aliases. At most ${most} are allowed.`,
  directives: (most, size) => `The operation has ${size} directives. At most ${most} are allowed.`,
  rootFields: (most, size) => `The operation selects ${size} fields of its root. At most ${most} are allowed.`,
  cost: (most, size) =>
    `The operation may cost ${size}. At most ${most} is allowed: ` +
    'ask for fewer fields, or for shorter pages (`first`).',
};

/**
 * Creates the error of an exceeded limit.
 *
 * @param most the limit
 * @param size the size of the operation; absent when counting stopped at the limit
 */
export function exceededLimit(
  name: keyof DocumentLimits,
  most: number,
  { size, node }: { readonly size?: number; readonly node?: ASTNode } = {},
): GraphQLError {
  return new GraphQLError(MESSAGES[name](formatCount(most), size === undefined ? '' : formatCount(size)), {
    nodes: node ?? null,
    extensions: { limit: { name, most } },
  });
}

function formatCount(count: number): string {
  return count > Number.MAX_SAFE_INTEGER ? 'countless' : count.toLocaleString('en');
}
