import {
  getNamedType,
  isInputObjectType,
  Kind,
  OperationTypeNode,
  typeFromAST,
  visit,
  type DocumentNode,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValueNode,
} from 'graphql';

/**
 * Whether graphql-jit gives the answers of graphql-js for an operation of a valid document. It does not
 *
 * - stop at the first of several mutations that fails: it runs the others, and then says that there is no data;
 * - leave out a field of an input object literal whose variable is absent: it makes it null, which may clear something;
 * - refuse null as the condition of `@skip` and `@include`;
 * - come to an end with an input type that can contain itself.
 */
export function isJitCompatible(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): boolean {
  if (operation.operation !== OperationTypeNode.QUERY && !hasOneField(operation)) return false;
  const variables = operation.variableDefinitions ?? [];
  const optional = variables
    .filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE)
    .map(({ variable }) => variable.name.value);
  if (usesWhereAbsenceMatters(document, optional)) return false;
  return !variables.some(({ type }) => {
    const named = typeFromAST(schema, type);
    return named !== undefined && isRecursive(getNamedType(named));
  });
}

function hasOneField({ selectionSet: { selections } }: OperationDefinitionNode): boolean {
  return selections.length === 1 && selections[0]?.kind === Kind.FIELD;
}

function usesWhereAbsenceMatters(document: DocumentNode, variables: readonly string[]): boolean {
  let found = false;
  const look = ({ value }: { readonly value: ValueNode }): void => {
    found ||= value.kind === Kind.VARIABLE && variables.includes(value.name.value);
  };
  visit(document, {
    ObjectField: look,
    Directive: ({ arguments: conditions = [] }) => {
      conditions.forEach(look);
    },
  });
  return found;
}

function isRecursive(type: unknown, within: readonly GraphQLInputObjectType[] = []): boolean {
  if (!isInputObjectType(type)) return false;
  if (within.includes(type)) return true;
  return Object.values(type.getFields()).some((field) => isRecursive(getNamedType(field.type), [...within, type]));
}
