import type { AccountsDeps, Actor, Client } from '../accounts/index.js';
import type { GroupsDeps } from '../groups/index.js';
import type { ReportBug } from './errors.js';

/** What every resolver is given; the same whichever door the request came through. */
export interface RequestContext {
  readonly requestId: string;
  readonly actor: Actor;
  readonly client: Client;
  readonly accounts: AccountsDeps;
  readonly groups: GroupsDeps;
  readonly reportBug: ReportBug;
}
