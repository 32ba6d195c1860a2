import type { Clock } from '../accounts/index.js';
import type { Database } from '../database/index.js';
import type { GroupReads } from './reads/group-reads.js';

/** What the use cases of groups are given. */
export interface GroupsDeps {
  readonly database: Database;
  /** Made once for a database, by `groupReads`. */
  readonly reads: GroupReads;
  readonly clock: Clock;
}
