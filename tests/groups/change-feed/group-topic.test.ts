import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GroupTopic } from '../../../src/groups/change-feed/group-topic.js';
import type { GroupChangeView } from '../../../src/groups/index.js';

const counts = { pending: 0, accepted: 1, tentative: 0, declined: 0, openInvitations: 0, lapsedInvitations: 0 };

function changes(after: number, count: number): GroupChangeView[] {
  return Array.from({ length: count }, (_, index) => ({
    groupId: 'group',
    revision: after + 1 + index,
    cause: 'RESPONSE',
    actorId: null,
    apiKey: null,
    subjectId: null,
    status: null,
    before: 'FORMING',
    after: 'FORMING',
    counts,
    at: new Date(0),
  }));
}

const revisionsAfter = (group: GroupTopic, revision: number): number[] | undefined =>
  group.after(revision)?.map((change) => change.revision);

describe('a group that is listened to', () => {
  it('tells what follows a revision without a gap, or that it has to be read', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.array(fc.nat(120), { maxLength: 8 }), fc.nat(1_200), (begin, batches, wanted) => {
        const group = new GroupTopic('group');
        group.beginAt(begin);
        for (const size of batches) group.append(changes(group.known ?? 0, size));
        const known = group.known ?? 0;
        const found = revisionsAfter(group, wanted);
        const expected = Array.from({ length: Math.max(0, known - wanted) }, (_, index) => wanted + 1 + index);
        // It knows nothing of what came before it began, nor of what it has dropped.
        if (wanted < Math.max(begin, known - 256)) expect(found).toBeUndefined();
        else expect(found).toEqual(expected);
      }),
    );
  });

  it('keeps a bounded number of changes', () => {
    const group = new GroupTopic('group');
    group.beginAt(0);
    group.append(changes(0, 5_000));
    expect(group.after(5_000 - 256)).toHaveLength(256);
    expect(group.after(5_000 - 257)).toBeNull();
  });

  it('has to be read by the first listener', () => {
    const group = new GroupTopic('group');
    expect(group.after(3)).toBeNull();
    group.beginAt(3);
    expect(group.after(3)).toEqual([]);
  });
});
