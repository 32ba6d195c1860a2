import { Kind, type FragmentDefinitionNode, type SelectionSetNode } from 'graphql';

/** The only field of a connection that needs no row of its list. */
const TOTAL = 'totalCount';

type FindFragment = (name: string) => Pick<FragmentDefinitionNode, 'selectionSet'> | undefined;

type SelectionSets = readonly (SelectionSetNode | undefined)[];

/**
 * Whether a selection of a connection needs rows of its list, because it contains another field than `totalCount`.
 *
 * Fields that `@skip` and `@include` exclude count, so that a resolver never reads more than was measured.
 */
export function selectsEntries(selectionSets: SelectionSets, findFragment: FindFragment): boolean {
  return selectsField(selectionSets, findFragment, (name) => name !== TOTAL && !name.startsWith('__'));
}

/** Whether a selection contains a field that matches, directly or by fragments. `@skip` and `@include` do not count. */
export function selectsField(
  selectionSets: SelectionSets,
  findFragment: FindFragment,
  matches: (name: string) => boolean,
): boolean {
  const visited = new Set<string>();
  const toVisit = [...selectionSets];
  for (const set of toVisit) {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) {
        if (matches(selection.name.value)) return true;
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
