import { Kind, type FragmentDefinitionNode, type SelectionSetNode } from 'graphql';

/** The one field of a connection that is known without reading a row of its list. */
const TOTAL = 'totalCount';

type FragmentOf = (name: string) => Pick<FragmentDefinitionNode, 'selectionSet'> | undefined;

/**
 * Whether rows of a list have to be read for what is selected of its connection: anything but `totalCount`.
 *
 * What `@skip` and `@include` leave out counts, so that what is read is never more than what was measured.
 */
export function selectsEntries(
  selectionSets: readonly (SelectionSetNode | undefined)[],
  fragmentOf: FragmentOf,
): boolean {
  const seen = new Set<string>();
  const toVisit = [...selectionSets];
  for (const set of toVisit) {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) {
        if (selection.name.value !== TOTAL && !selection.name.value.startsWith('__')) return true;
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        toVisit.push(selection.selectionSet);
      } else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        toVisit.push(fragmentOf(selection.name.value)?.selectionSet);
      }
    }
  }
  return false;
}
