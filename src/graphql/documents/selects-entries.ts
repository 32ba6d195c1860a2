import { Kind, type FragmentDefinitionNode, type SelectionSetNode } from 'graphql';

/** The only field of a connection that needs no row of its list. */
const TOTAL = 'totalCount';

type FindFragment = (name: string) => Pick<FragmentDefinitionNode, 'selectionSet'> | undefined;

/**
 * Whether a selection of a connection needs rows of its list, because it contains another field than `totalCount`.
 *
 * Fields that `@skip` and `@include` exclude count, so that a resolver never reads more than was measured.
 */
export function selectsEntries(
  selectionSets: readonly (SelectionSetNode | undefined)[],
  findFragment: FindFragment,
): boolean {
  const visited = new Set<string>();
  const toVisit = [...selectionSets];
  for (const set of toVisit) {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) {
        if (selection.name.value !== TOTAL && !selection.name.value.startsWith('__')) return true;
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        toVisit.push(selection.selectionSet);
      } else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value);
        toVisit.push(findFragment(selection.name.value)?.selectionSet);
      }
    }
  }
  return false;
}
