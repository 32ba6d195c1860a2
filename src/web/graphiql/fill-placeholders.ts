import { GROUP_ID, OWN_ID } from './examples/placeholders.js';
import type { OwnIds } from './own-ids.js';

/** Whether the variables, as JSON, have placeholders that `fillPlaceholders` replaces. */
export function hasOwnPlaceholders(variables: string): boolean {
  return variables.includes(GROUP_ID) || variables.includes(OWN_ID);
}

/** Replaces the placeholders of the user and, if the user is in a group, of the group. */
export function fillPlaceholders(variables: string, { id, memberships }: OwnIds): string {
  const groupId = memberships.nodes[0]?.group.id ?? GROUP_ID;
  return variables.replaceAll(OWN_ID, id).replaceAll(GROUP_ID, groupId);
}
