import type { AccountRole, TaskStatus } from '../../accounts/index.js';
import { graphqlEnum } from './graphql-enum.js';

export const AccountRoleEnum = graphqlEnum<AccountRole>(
  'AccountRole',
  'What an account may do beyond its own affairs.',
  {
    USER: 'An ordinary account.',
    ADMIN: 'May read and manage every account and group.',
  },
);

export const FollowUpStatusEnum = graphqlEnum<TaskStatus>('FollowUpStatus', 'How far a follow-up has come.', {
  QUEUED: 'Waiting for its turn, or for its next try.',
  RUNNING: 'Under way.',
  DONE: 'Finished.',
  SKIPPED: 'There was nothing to do.',
  FAILED: 'Given up after its last try; an administrator can have it tried again.',
});
