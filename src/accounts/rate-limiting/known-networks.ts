import type { EntityManager } from '@mikro-orm/postgresql';
import { DAY_MS } from '../../async/durations.js';
import { isOlderThanSql, statement, transactionOf, type RetentionRule } from '../../database/index.js';
import type { ClientInfo } from '../ports/client-info.js';
import type { ServerSecret } from '../secrets/server-secret.js';
import { toClientNetwork } from './client-network.js';

const LABEL = 'known-network';

/** After 90 days without a login from it, a network counts as unknown. */
const NETWORK_TTL_MS = 90 * DAY_MS;

export const KNOWN_NETWORK_RETENTION_RULE: RetentionRule = {
  table: 'known_address',
  ageColumn: 'last_login_at',
  condition: isOlderThanSql('last_login_at', NETWORK_TTL_MS),
};

/** HMAC that identifies a client's network in the database. */
export function networkMac(serverSecret: ServerSecret, { address }: ClientInfo): Buffer {
  return serverSecret.hmac(LABEL, toClientNetwork(address));
}

/**
 * SQL condition on `account`: the account has logged in from the network before.
 *
 * @param parameter placeholder of the MAC
 */
export function isKnownNetworkSql(parameter: string): string {
  return `exists (select from known_address where user_id = account.id and network_mac = ${parameter})`;
}

/**
 * SQL that records the networks from which accounts logged in. From there, failed logins from unknown networks cannot
 * lock the owner out.
 *
 * @param rows query, or list of values, of account, MAC and time
 */
export function upsertKnownNetworksSql(rows: string): string {
  return `insert into known_address (user_id, network_mac, last_login_at) ${rows}
     on conflict (user_id, network_mac) do update set last_login_at = excluded.last_login_at
       where known_address.last_login_at < excluded.last_login_at - interval '1 day'`;
}

const REMEMBER_NETWORK = statement<never>('remember_network', upsertKnownNetworksSql('values ($1, $2, $3)'));

/** Records one network, in the caller's transaction. */
export async function rememberNetwork(em: EntityManager, userId: string, mac: Buffer, now: Date): Promise<void> {
  await transactionOf(em).query(REMEMBER_NETWORK, [userId, mac, now]);
}
