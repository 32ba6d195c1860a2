import { Kind, type DocumentNode, type FieldNode, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';

/** The fields of its root that an operation of a valid document selects, those within fragments included, and those that `@skip` leaves out. */
export function rootFields(document: DocumentNode, { selectionSet }: OperationDefinitionNode): FieldNode[] {
  const fields: FieldNode[] = [];
  // Each fragment once: they may spread each other so often that following every spread would never end.
  const seen = new Set<string>();
  const toLookAt = [selectionSet];
  for (const { selections } of toLookAt) {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) fields.push(selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) toLookAt.push(selection.selectionSet);
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        toLookAt.push(...fragmentSets(document, selection.name.value));
      }
    }
  }
  return fields;
}

function fragmentSets({ definitions }: DocumentNode, name: string): SelectionSetNode[] {
  return definitions.flatMap((each) =>
    each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === name ? each.selectionSet : [],
  );
}
