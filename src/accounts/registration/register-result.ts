import type { FollowUpView, ViewerView } from '../identity/account-loaders.js';

export interface RegisterResult {
  readonly user: ViewerView;
  /** The follow-up tasks of the registration, in the order in which they were enqueued. */
  readonly followUps: readonly FollowUpView[];
}
