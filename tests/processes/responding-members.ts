import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createGroupViaApi, registerUser, type TestUser } from '../support/service/test-users.js';
import { WorkerConnection, type Received } from './worker-connection.js';
import type { WorkerService } from './worker-service.js';

const STATUSES = ['accepted', 'declined'] as const;
const RETRY_AFTER_MS = 20;

interface Member extends TestUser {
  /** The responses of the member that were acknowledged, in order. */
  readonly acknowledged: string[];
}

export interface GroupOfMembers {
  readonly id: string;
  readonly members: readonly Member[];
}

export async function createGroupOf(service: WorkerService, size: number): Promise<GroupOfMembers> {
  const owner = await registerUser(service, `owner-${randomUUID().slice(0, 8)}`);
  const members: Member[] = [];
  for (let index = 0; index < size; index += 1)
    members.push(Object.assign(await registerUser(service), { acknowledged: [] }));
  return { id: await createGroupViaApi(owner, members, { quorum: 2 }), members };
}

export interface Load {
  /** Called after each failed attempt. Returns whether the member tries the same response again. */
  readonly mayRetry: () => boolean;
  /** Whether the member changes the response again. */
  readonly continues: (member: Member) => boolean;
  /** Whether each request has a connection of its own. */
  readonly reconnects: (index: number) => boolean;
}

/** Every member changes the response again and again, each change after the acknowledgement of the one before. */
export async function respondConcurrently(
  { port }: WorkerService,
  { id, members }: GroupOfMembers,
  load: Load,
): Promise<void> {
  await Promise.all(
    members.map(async (member, index) => {
      let connection = new WorkerConnection(port);
      while (load.continues(member)) {
        const status = STATUSES[member.acknowledged.length % STATUSES.length] ?? 'accepted';
        const response = await respond(connection, id, member, status);
        if (response?.status === 200) member.acknowledged.push(status);
        else if (load.mayRetry()) await delay(RETRY_AFTER_MS);
        else break;
        if (!load.reconnects(index)) continue;
        connection.close();
        connection = new WorkerConnection(port);
      }
      connection.close();
    }),
  );
}

/** @returns null when the connection failed */
async function respond(
  connection: WorkerConnection,
  groupId: string,
  { id, token }: Member,
  status: string,
): Promise<Received<unknown> | null> {
  try {
    return await connection.send('PATCH', `/api/groups/${groupId}/users/${id}/status`, { token, json: { status } });
  } catch {
    return null;
  }
}
