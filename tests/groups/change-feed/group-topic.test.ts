import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GroupTopic } from '../../../src/groups/change-feed/group-topic.js';
import type { GroupChangeView } from '../../../src/groups/index.js';

const counts = { pending: 0, accepted: 1, tentative: 0, declined: 0, openInvitations: 0, lapsedInvitations: 0 };

function createChanges(after: number, count: number): GroupChangeView[] {
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

const revisionsAfter = (topic: GroupTopic, revision: number): number[] | undefined =>
  topic.after(revision)?.map((change) => change.revision);

describe('GroupTopic', () => {
  it('returns the changes after a revision without gaps, or null when its buffer does not reach back', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.array(fc.nat(120), { maxLength: 8 }), fc.nat(1_200), (start, batches, revision) => {
        const topic = new GroupTopic('group');
        topic.beginAt(start);
        for (const size of batches) topic.append(createChanges(topic.headRevision ?? 0, size));
        const head = topic.headRevision ?? 0;
        const found = revisionsAfter(topic, revision);
        const expected = Array.from({ length: Math.max(0, head - revision) }, (_, index) => revision + 1 + index);
        // The buffer begins after the start, and holds the latest 256 changes.
        if (revision < Math.max(start, head - 256)) expect(found).toBeUndefined();
        else expect(found).toEqual(expected);
      }),
    );
  });

  it('buffers at most 256 changes', () => {
    const topic = new GroupTopic('group');
    topic.beginAt(0);
    topic.append(createChanges(0, 5_000));
    expect(topic.after(5_000 - 256)).toHaveLength(256);
    expect(topic.after(5_000 - 257)).toBeNull();
  });

  it('returns null before the first subscriber has read the group', () => {
    const topic = new GroupTopic('group');
    expect(topic.after(3)).toBeNull();
    topic.beginAt(3);
    expect(topic.after(3)).toEqual([]);
  });
});
