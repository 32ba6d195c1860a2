import { Kind, type DocumentNode, type FieldNode, type SelectionSetNode } from 'graphql';
import type { ResolvedOperation } from './resolved-operation.js';

/** The root fields that an operation selects, including those in fragments and those that `@skip` excludes. */
export function rootFields({ document, operation }: ResolvedOperation): FieldNode[] {
  const fields: FieldNode[] = [];
  // Each fragment is visited once. Nested spreads could otherwise grow exponentially.
  const visited = new Set<string>();
  const toVisit = [operation.selectionSet];
  for (const { selections } of toVisit) {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) fields.push(selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) toVisit.push(selection.selectionSet);
      else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value);
        toVisit.push(...fragmentSets(document, selection.name.value));
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
