import type { GraphQLField, GraphQLSchema } from 'graphql';

/**
 * Requires of each mutation that it declares its policies.
 *
 * @returns the schema, unchanged
 * @throws Error naming the mutations that lack `@AuditedAs` or `@NotAudited`, or `@LimitedPerCaller`
 */
export function requireMutationPolicies(schema: GraphQLSchema): GraphQLSchema {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  const incomplete = mutations.filter((mutation) => !declaresPolicies(mutation)).map(({ name }) => name);
  if (incomplete.length > 0)
    throw new Error(
      `Mutations without @AuditedAs or @NotAudited, or without @LimitedPerCaller: ${incomplete.join(', ')}`,
    );
  return schema;
}

function declaresPolicies({ extensions }: GraphQLField<unknown, unknown>): boolean {
  return typeof extensions.audited === 'boolean' && extensions.limitedPerCaller === true;
}
