import type { EntityManager } from '@mikro-orm/postgresql';
import { columnsSql, statement, transactionOf, type Database } from '../../database/index.js';
import { validateStorableText } from '../input/text-validation.js';
import { usernameKey } from '../input/username.js';
import { USER_FIELDS, type UserView } from './account-loaders.js';
import { Account } from './account.entity.js';

/** Identifies a user in a request. */
export type UserReference = { readonly userId: string } | { readonly username: string };

interface UserRow extends UserView {
  readonly usernameKey: string;
}

/** `FOR KEY SHARE`: a user that is found cannot be deleted before a row that refers to the account is committed. */
const USERS_BY_REFERENCE = statement<UserRow>(
  'users_by_reference',
  `
  select ${columnsSql(Account, 'account', [...USER_FIELDS, 'usernameKey'])} from account
  where (id = any($1::uuid[]) or username_key = any($2::text[])) and deleted_at is null
  order by id for key share`,
);

/**
 * Finds users by id or username with one statement.
 *
 * @returns one result for each reference, in the same order; null where no such account exists
 */
export async function findUsers(em: EntityManager, references: readonly UserReference[]): Promise<(UserView | null)[]> {
  const keys = references.map(keyOf);
  const ids = keys.flatMap((key) => (key !== null && 'id' in key ? [key.id] : []));
  const names = keys.flatMap((key) => (key !== null && 'name' in key ? [key.name] : []));
  const rows = await transactionOf(em).query(USERS_BY_REFERENCE, [ids, names]);
  const users = rows.map(({ usernameKey: name, ...user }) => ({ name, user }));
  const byId = new Map(users.map(({ user }) => [user.id, user]));
  const byName = new Map(users.map(({ name, user }) => [name, user]));
  return keys.map((key) => {
    if (key === null) return null;
    return ('id' in key ? byId.get(key.id) : byName.get(key.name)) ?? null;
  });
}

/** Null for a name that no account can have and that PostgreSQL rejects as a parameter. */
function keyOf(reference: UserReference): { id: string } | { name: string } | null {
  if ('userId' in reference) return { id: reference.userId };
  return validateStorableText(reference.username) === null ? { name: usernameKey(reference.username) } : null;
}

export interface ResolveUsernamesDeps {
  readonly database: Database;
}

interface NamedRow {
  readonly id: string;
  readonly name: string;
}

const IDS_OF_NAMES = statement<NamedRow>(
  'ids_of_names',
  `
  select id, username_key as name from account where username_key = any($1::text[])`,
);

/**
 * Replaces usernames by ids with one read outside a transaction, so that `findUsers` then locks only existing accounts.
 *
 * @returns one reference for each, in the same order; null where no account has that username
 */
export async function resolveUsernames(
  { database }: ResolveUsernamesDeps,
  references: readonly UserReference[],
): Promise<({ readonly userId: string } | null)[]> {
  const keys = references.map(keyOf);
  const names = [...new Set(keys.flatMap((key) => (key !== null && 'name' in key ? [key.name] : [])))];
  const rows = names.length === 0 ? [] : await database.query(IDS_OF_NAMES, [names]);
  const idByName = new Map(rows.map(({ id, name }) => [name, id]));
  return keys.map((key) => {
    const id = key === null || 'id' in key ? key?.id : idByName.get(key.name);
    return id === undefined ? null : { userId: id };
  });
}
