import type { GraphQLSchema } from 'graphql';
import type { ResolvedOperation } from '../documents/resolved-operation.js';
import { rootFields } from '../documents/root-fields.js';
import { isPublic } from '../policies/public.js';

/**
 * Whether an operation selects a root field that is not `@Public()`. Fields that `@skip` excludes count.
 *
 * Such a field checks the caller's token before its input, so a missing token is the error to report.
 */
export function requiresAuthentication(schema: GraphQLSchema, resolved: ResolvedOperation): boolean {
  const fields = schema.getRootType(resolved.operation.operation)?.getFields() ?? {};
  return rootFields(resolved).some(({ name }) => {
    const field = fields[name.value];
    // Undefined for introspection fields such as `__typename`.
    return field !== undefined && !isPublic(field);
  });
}
