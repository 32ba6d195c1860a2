import { pickProperties, type OutboxTask } from '../../database/index.js';
import { FOLLOW_UP_FIELDS, VIEWER_FIELDS, type FollowUpView, type ViewerView } from './account-loaders.js';
import type { Account } from './account.entity.js';

export function toViewerView(account: Account): ViewerView {
  return { ...pickProperties(account, VIEWER_FIELDS), emailVerified: account.emailVerifiedAt !== null };
}

export function toFollowUpView(task: OutboxTask, userId: string): FollowUpView {
  return { ...pickProperties(task, FOLLOW_UP_FIELDS), userId };
}
