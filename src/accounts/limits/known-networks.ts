import type { EntityManager } from '@mikro-orm/postgresql';
import type { Client } from '../client.js';
import type { ServerSecret } from '../server-secret.js';
import { networkOf } from './client-network.js';

const LABEL = 'known-network';

/** What stands for a client's network in the database. */
export function networkMac(serverSecret: ServerSecret, { address }: Client): Buffer {
  return serverSecret.hmac(LABEL, networkOf(address));
}

/** A condition on the table `account`, for a statement that has the MAC as the given parameter. */
export function isKnownNetwork(parameter: string): string {
  return `exists (select from known_address where user_id = account.id and network_mac = ${parameter})`;
}

/**
 * Notes, in the caller's transaction, that the account's owner has come from this network: others who fail to log in
 * to it, from networks that it does not know, cannot keep the owner out there.
 */
export async function rememberNetwork(em: EntityManager, userId: string, mac: Buffer, now: Date): Promise<void> {
  await em.execute(
    `insert into known_address (user_id, network_mac, last_login_at) values (?, ?, ?)
     on conflict (user_id, network_mac) do update set last_login_at = excluded.last_login_at
       where known_address.last_login_at < excluded.last_login_at - interval '1 day'`,
    [userId, mac, now],
  );
}
