import type { AccountsDeps, Actor, ClientInfo } from '../../accounts/index.js';
import type { GroupsDeps } from '../../groups/index.js';
import type { ReportUnexpectedError } from '../errors/public-error.js';

/** What every resolver is given; the same whichever door the request came through. */
export interface RequestContext {
  readonly requestId: string;
  readonly actor: Actor;
  /** Who sends it by now, told anew by the same token: for what lasts longer than a request. */
  readonly reauthenticate: () => Promise<Actor>;
  /** Of a subscription: resolves when another of its events may be worked on. Set by the executor. */
  readonly beforeEvent?: () => Promise<void>;
  readonly client: ClientInfo;
  /** What the Idempotency-Key header says; null without one. */
  readonly idempotencyKey: string | null;
  readonly accounts: AccountsDeps;
  readonly groups: GroupsDeps;
  readonly reportUnexpectedError: ReportUnexpectedError;
}
