import { afterAll, beforeAll } from '@jest/globals';
import { createDeletionFixture, type DeletionFixture } from './deletion-fixture.js';
import { createGroupsFixture, type CallsOfFixture, type GroupsFixture } from './groups-fixture.js';

/**
 * Creates a groups fixture before the tests of the file and closes it after them.
 *
 * @returns the fixture, whose properties are set once the tests run
 */
export function useGroupsFixture(calls?: CallsOfFixture): GroupsFixture {
  const fixture = {} as GroupsFixture;
  beforeAll(async () => {
    Object.assign(fixture, await createGroupsFixture(calls));
  });
  afterAll(() => fixture.close());
  return fixture;
}

/** As `useGroupsFixture`, with a deletion fixture on top, whose revocations are published before the fixture closes. */
export function useDeletionFixture(): { readonly fixture: GroupsFixture; readonly deletion: DeletionFixture } {
  const fixture = {} as GroupsFixture;
  const deletion = {} as DeletionFixture;
  beforeAll(async () => {
    Object.assign(fixture, await createGroupsFixture());
    Object.assign(deletion, createDeletionFixture(fixture));
  });
  afterAll(async () => {
    await deletion.flushRevocations();
    await fixture.close();
  });
  return { fixture, deletion };
}
