import type { OutboxTask } from '../../database/index.js';
import type { FollowUpView, ViewerView } from './account-loaders.js';
import type { Account } from './account.entity.js';

export function toViewerView(account: Account): ViewerView {
  const { id, username, displayName, email, emailVerifiedAt, roles, createdAt } = account;
  return { id, username, displayName, email, emailVerified: emailVerifiedAt !== null, roles, createdAt };
}

export function toFollowUpView(task: OutboxTask, userId: string): FollowUpView {
  const { id, name, status, attempts, createdAt, finishedAt } = task;
  return { id, name, status, attempts, createdAt, finishedAt, userId };
}
