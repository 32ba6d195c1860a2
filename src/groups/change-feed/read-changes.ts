import type { GroupChangeView } from '../history/group-change-view.js';
import type { HistoryLoaders } from '../history/history-loader.js';

const MAX_CHANGES_PER_READ = 100;
/** Largest value of PostgreSQL's `integer`. */
const MAX_REVISION = 2_147_483_647;

interface ChangeBatch {
  /** In ascending order of revision. */
  readonly changes: readonly GroupChangeView[];
  /** Whether more changes were committed at the time of the read. */
  readonly hasMore: boolean;
}

/** Reads the changes of a group that follow a revision. */
export async function readChangesAfter(loaders: HistoryLoaders, groupId: string, after: number): Promise<ChangeBatch> {
  const { changes } = await loaders.history({
    groupId,
    after,
    before: null,
    upTo: MAX_REVISION,
    size: MAX_CHANGES_PER_READ,
    backward: false,
    totalOnly: false,
    stateChangesOnly: false,
  });
  return { changes, hasMore: changes.length > MAX_CHANGES_PER_READ };
}
