import type { StoredGroup } from './group-view.js';

/**
 * SQL for the version of the account directory as `directoryVersion`. Triggers increase it whenever a name of an
 * account changes, or a member's reference to a deleted inviter ends. Null without its one row.
 */
export const DIRECTORY_VERSION = '(select version from account_directory) as "directoryVersion"';

/**
 * Returns the version of a group's lists of members, which changes with everything that they show; null when it is not
 * known. Any other change of members is a revision of the group.
 */
export function membersVersion({ revision }: StoredGroup, directoryVersion: number | null): string | null {
  return directoryVersion === null ? null : `${revision} ${directoryVersion}`;
}
