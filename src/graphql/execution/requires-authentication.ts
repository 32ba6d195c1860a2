import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { rootFields } from '../documents/root-fields.js';

/** For `@Extensions`, on the root fields that take no token. */
export const PUBLIC_FIELD = { public: true } as const;

/**
 * Whether an operation of a valid document selects a root field that takes a caller: one that is not `PUBLIC_FIELD`.
 *
 * Such a field tells who sends no token just that, before it looks at anything else. One that `@skip` leaves out counts too.
 */
export function requiresAuthentication(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): boolean {
  const fields = schema.getRootType(operation.operation)?.getFields() ?? {};
  return rootFields(document, operation).some(({ name }) => {
    const field = fields[name.value];
    // None for `__typename` and the like.
    return field !== undefined && field.extensions.public !== true;
  });
}
