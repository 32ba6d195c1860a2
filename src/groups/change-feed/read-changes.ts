import type { ChangeView } from '../change-view.js';
import type { GroupReads } from '../reads/group-reads.js';

const MOST_AT_ONCE = 100;
/** The largest that its column holds. */
const LAST_REVISION = 2_147_483_647;

export interface NextChanges {
  /** In order. */
  readonly changes: readonly ChangeView[];
  /** False when these were all that were committed by then. */
  readonly isMore: boolean;
}

/** The changes of a group that follow a revision. */
export async function readChanges(reads: Pick<GroupReads, 'history'>, groupId: string, after: number): Promise<NextChanges> {
  const { changes } = await reads.history({
    groupId, after, upTo: LAST_REVISION, first: MOST_AT_ONCE, totalOnly: false, stateChangesOnly: false,
  });
  return { changes, isMore: changes.length > MOST_AT_ONCE };
}
