import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { TASK_RETENTION_RULES } from '../../../src/accounts/follow-ups/task-retention-rules.js';
import { DAY_MS } from '../../../src/async/durations.js';
import type { TaskStatus } from '../../../src/database/index.js';
import { createOutboxFixture, type OutboxFixture } from '../../database/outbox/outbox-fixture.js';
import { pruneOnce } from '../../support/database/prune-once.js';

let fixture: OutboxFixture;

beforeAll(async () => {
  fixture = await createOutboxFixture();
});
afterAll(() => fixture.close());

/** Inserts a task that was due or ended `days` ago. Returns its name. */
async function add(status: TaskStatus, days: number, registeredUserId: string | null = null): Promise<string> {
  const hasEnded = ['DONE', 'SKIPPED', 'FAILED'].includes(status);
  const at = fixture.clock.in(-days * DAY_MS);
  const name = `${status}, ${registeredUserId === null ? '' : 'of a registration, '}${String(days)} days`;
  await fixture.database.pool.query(
    `
    insert into outbox_task (id, name, payload, registered_user_id, status, created_at, due_at, finished_at)
    values ($1, $2, '{}', $3, $4, $5, $6, $7)`,
    [uuidv7(), name, registeredUserId, status, at, hasEnded ? null : at, hasEnded ? at : null],
  );
  return name;
}

describe('TASK_RETENTION_RULES', () => {
  it('delete tasks that finished 30 days ago or failed 90 days ago, except those of registrations', async () => {
    await add('DONE', 30);
    await add('SKIPPED', 30);
    await add('FAILED', 90);
    const kept = [
      await add('DONE', 29.9),
      await add('SKIPPED', 29.9),
      await add('FAILED', 89.9),
      await add('QUEUED', 400),
      await add('RUNNING', 400),
      await add('DONE', 400, await fixture.register()),
      await add('FAILED', 400, await fixture.register()),
    ];
    await pruneOnce(fixture.database, fixture.clock.now(), TASK_RETENTION_RULES);
    const { rows } = await fixture.database.pool.query<{ name: string }>('select name from outbox_task');
    expect(rows.map(({ name }) => name).toSorted()).toEqual(kept.toSorted());
  });
});
