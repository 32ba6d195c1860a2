import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';

/** For `@Extensions`, on the root fields that take no token. */
export const FOR_EVERYONE = { public: true } as const;

/**
 * Whether an operation of a valid document selects a root field that takes a caller: one that is not `FOR_EVERYONE`.
 *
 * Such a field tells who sends no token just that, before it looks at anything else. One that `@skip` leaves out counts too.
 */
export function needsCaller(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): boolean {
  const fields = schema.getRootType(operation.operation)?.getFields() ?? {};
  return [...rootFieldNames(document, operation.selectionSet)].some((name) => {
    const field = fields[name];
    // None for `__typename` and the like.
    return field !== undefined && field.extensions.public !== true;
  });
}

function rootFieldNames(document: DocumentNode, selectionSet: SelectionSetNode): Set<string> {
  const names = new Set<string>();
  // Each fragment once: they may spread each other so often that following every spread would never end.
  const seen = new Set<string>();
  const toLookAt = [selectionSet];
  for (const { selections } of toLookAt) {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) names.add(selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) toLookAt.push(selection.selectionSet);
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        toLookAt.push(...fragmentSets(document, selection.name.value));
      }
    }
  }
  return names;
}

function fragmentSets({ definitions }: DocumentNode, name: string): SelectionSetNode[] {
  return definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === name ? each.selectionSet : []));
}
