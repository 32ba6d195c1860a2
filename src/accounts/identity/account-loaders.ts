import {
  columnsSql,
  createBatchLoader,
  OutboxTask,
  statement,
  type BatchLoader,
  type Database,
  type Stored,
} from '../../database/index.js';
import type { StoredTime } from '../../time/stored-time.js';
import { Account } from './account.entity.js';
import type { ApiKeyScope } from './api-key-scope.js';

export type { TaskStatus } from '../../database/index.js';

export const USER_FIELDS = ['id', 'username', 'displayName', 'createdAt'] as const;

/** A user, as shown to other users. */
export interface UserView extends Pick<Stored<Account>, Exclude<(typeof USER_FIELDS)[number], 'createdAt'>> {
  readonly createdAt: StoredTime;
}

export const VIEWER_FIELDS = [...USER_FIELDS, 'email', 'roles'] as const;

/** A user, as shown to that user. */
export interface ViewerView extends UserView, Pick<Stored<Account>, 'email' | 'roles'> {
  readonly emailVerified: boolean;
}

export const FOLLOW_UP_FIELDS = ['id', 'name', 'status', 'attempts', 'createdAt', 'finishedAt'] as const;

/** One follow-up task of a registration, as shown to the registered user. */
export interface FollowUpView extends Pick<Stored<OutboxTask>, (typeof FOLLOW_UP_FIELDS)[number]> {
  readonly userId: string;
}

interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  readonly secretHash: Buffer;
  readonly scopes: readonly ApiKeyScope[];
  readonly groupIds: readonly string[] | null;
  readonly expiresAt: Date | null;
}

interface ViewerRow extends ViewerView {
  readonly disabled: boolean;
}

/** SQL for the columns of a viewer. */
export const VIEWER_COLUMNS = `${columnsSql(Account, 'account', VIEWER_FIELDS)},
    email_verified_at is not null as "emailVerified"`;

const VIEWERS = statement<ViewerRow>(
  'viewers',
  `
  select ${VIEWER_COLUMNS}, disabled_at is not null as disabled
  from account where id = any($1::uuid[])`,
  { timesAsText: true },
);

const USERS = statement<UserView>(
  'users',
  `
  select ${columnsSql(Account, 'account', USER_FIELDS)} from account where id = any($1::uuid[])`,
  { timesAsText: true },
);

const FOLLOW_UPS = statement<FollowUpView>(
  'follow_ups_of',
  `
  select ${columnsSql(OutboxTask, 'outbox_task', FOLLOW_UP_FIELDS)}, registered_user_id as "userId"
  from outbox_task where registered_user_id = any($1::uuid[]) order by id`,
);

const API_KEYS = statement<ApiKeyRow>(
  'api_keys',
  `
  select id, name, secret_hash as "secretHash", scopes, group_ids as "groupIds", expires_at as "expiresAt"
  from api_key where secret_hash = any($1::bytea[])`,
);

/**
 * Reads of accounts that nearly every request needs. Batch loaders: one statement for all requests of an event-loop
 * iteration.
 */
export interface AccountLoaders {
  /** Null for an account that is deleted or disabled. */
  readonly viewer: BatchLoader<string, ViewerView>;
  readonly user: BatchLoader<string, UserView>;
  readonly apiKey: BatchLoader<Buffer, ApiKeyRow>;
  /** In the order in which the registration enqueued them. */
  followUps(userId: string): Promise<FollowUpView[]>;
}

export function createAccountLoaders(database: Database): AccountLoaders {
  const byId = (id: string): string => id;
  return {
    viewer: createBatchLoader(
      async (ids: readonly string[]) => (await database.query(VIEWERS, [ids])).filter(({ disabled }) => !disabled),
      byId,
      ({ id }) => id,
    ),
    user: createBatchLoader(
      (ids: readonly string[]) => database.query(USERS, [ids]),
      byId,
      ({ id }) => id,
    ),
    apiKey: createBatchLoader(
      (hashes: readonly Buffer[]) => database.query(API_KEYS, [hashes]),
      (hash) => hash.toString('hex'),
      ({ secretHash }) => secretHash.toString('hex'),
    ),
    followUps: (userId) => database.query(FOLLOW_UPS, [[userId]]),
  };
}
