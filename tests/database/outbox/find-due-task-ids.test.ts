import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findDueTaskIds } from '../../../src/database/outbox/find-due-task-ids.js';
import { createOutboxFixture, type OutboxFixture } from './outbox-fixture.js';

let fixture: OutboxFixture;

beforeAll(async () => {
  fixture = await createOutboxFixture();
});
afterAll(() => fixture.close());

describe('findDueTaskIds', () => {
  it('returns due tasks, longest due first, up to the limit', async () => {
    fixture.clock.advance(1_000_000);
    const later = await fixture.enqueue();
    const due = await findDueTaskIds(fixture.database, new Date(fixture.clock.now().getTime() - 1), 100);
    expect(due).not.toContain(later);

    const all = await findDueTaskIds(fixture.database, fixture.clock.now(), 100);
    expect(all).toEqual([...due, later]);
    expect(await findDueTaskIds(fixture.database, fixture.clock.now(), 2)).toEqual(all.slice(0, 2));
  });
});
