import { newId } from '../src/accounts/index.js';
import type { App } from '../src/app.js';
import { goodAnswer } from './measure.js';

/** A client of a service with the token of one account. Its methods throw when the request fails. */
export interface Client {
  readonly token: string;
  get(path: string): Promise<string>;
  send(method: 'PATCH' | 'POST', path: string, body: object): Promise<string>;
  graphql(query: string, variables: object): Promise<string>;
}

/** Opens a session of the account. An administrator must have the role in the database, too. */
export async function openClient(
  { database: { pool }, accounts }: App,
  base: string,
  userId: string,
  roles: readonly ('USER' | 'ADMIN')[] = ['USER'],
): Promise<Client> {
  const sessionId = newId();
  await pool.query(
    `insert into session (id, user_id, created_at, rotated_at, expires_at)
     values ($1, $2, now(), now(), now() + interval '1 day')`,
    [sessionId, userId],
  );
  const { accessToken } = accounts.accessTokens.sign({ userId, sessionId, roles });
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
  const send = async (method: string, path: string, body: object): Promise<string> =>
    goodAnswer(await fetch(base + path, { method, headers, body: JSON.stringify(body) }));
  return {
    token: accessToken,
    get: async (path) => goodAnswer(await fetch(base + path, { headers })),
    send,
    graphql: (query, variables) => send('POST', '/graphql', { query, variables }),
  };
}
