import type { GroupLoaders } from '../group-loaders.js';
import type { GroupChangeView } from '../model/group-change-view.js';

const MOST_AT_ONCE = 100;
/** The largest that its column holds. */
const LAST_REVISION = 2_147_483_647;

export interface ChangeBatch {
  /** In order. */
  readonly changes: readonly GroupChangeView[];
  /** False when these were all that were committed by then. */
  readonly hasMore: boolean;
}

/** The changes of a group that follow a revision. */
export async function readChangesAfter(
  loaders: Pick<GroupLoaders, 'history'>,
  groupId: string,
  after: number,
): Promise<ChangeBatch> {
  const { changes } = await loaders.history({
    groupId,
    after,
    upTo: LAST_REVISION,
    first: MOST_AT_ONCE,
    totalOnly: false,
    stateChangesOnly: false,
  });
  return { changes, hasMore: changes.length > MOST_AT_ONCE };
}
