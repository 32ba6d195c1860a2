import { describe, expect, it } from '@jest/globals';
import { columnsSql } from '../../../src/database/index.js';
import { CompatibilityScore } from '../../../src/groups/model/compatibility-score.entity.js';
import { Group } from '../../../src/groups/model/group.entity.js';
import { ResponseCounts } from '../../../src/groups/model/response-counts.js';

describe('columnsSql', () => {
  it('names each column as its property', () => {
    expect(columnsSql(CompatibilityScore, 's')).toBe(
      's.group_id as "groupId", s.sequence, s.value, s.source, s.scored_at as "scoredAt", ' +
        's.answers_revision as "answersRevision"',
    );
  });

  it('uses the declared column name of an embeddable', () => {
    expect(columnsSql(ResponseCounts, 'g', ['pending'])).toBe('g.pending_count as "pending"');
  });

  it('leaves out embedded objects, and throws for them by name', () => {
    expect(columnsSql(Group, 'g')).not.toContain('counts');
    expect(() => columnsSql(Group, 'g', ['counts'])).toThrow('Group has no column for counts');
  });
});
