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
 * Whether graphql-jit (0.8.7) returns the results of graphql-js for an operation of a valid document.
 *
 * graphql-jit differs in four cases. It
 *
 * - runs the remaining mutations after one has failed, and then returns no data;
 * - sets a field of an input object literal to null when its variable is absent, which can clear a value;
 * - accepts null as the condition of `@skip` and `@include`;
 * - does not terminate for an input type that contains itself.
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
  if (usesInLiteralOrDirective(document, optional)) return false;
  return !variables.some(({ type }) => {
    const named = typeFromAST(schema, type);
    return named !== undefined && isRecursive(getNamedType(named));
  });
}

function hasOneField({ selectionSet: { selections } }: OperationDefinitionNode): boolean {
  return selections.length === 1 && selections[0]?.kind === Kind.FIELD;
}

function usesInLiteralOrDirective(document: DocumentNode, variables: readonly string[]): boolean {
  let found = false;
  const check = ({ value }: { readonly value: ValueNode }): void => {
    found ||= value.kind === Kind.VARIABLE && variables.includes(value.name.value);
  };
  visit(document, {
    ObjectField: check,
    Directive: ({ arguments: conditions = [] }) => {
      conditions.forEach(check);
    },
  });
  return found;
}

function isRecursive(type: unknown, within: readonly GraphQLInputObjectType[] = []): boolean {
  if (!isInputObjectType(type)) return false;
  if (within.includes(type)) return true;
  return Object.values(type.getFields()).some((field) => isRecursive(getNamedType(field.type), [...within, type]));
}
