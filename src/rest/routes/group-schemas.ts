import { z } from 'zod';
import { COMPONENT_SCHEMAS, COUNT, EXAMPLE_IDS, TIME, UUID } from './component-schemas.js';

const RESPONDED_AT = '2026-11-28T01:34:10.120Z';

const STATUS = z
  .enum(['pending', 'accepted', 'tentative', 'declined'])
  .describe('The response of a member.')
  .register(COMPONENT_SCHEMAS, { id: 'ResponseStatus' });

const respondedAt = TIME.nullable().describe('Null before the first response.');
const revision = z.int().min(1).max(999_999_999).describe('Increases with each change of the member.');

export const ACCEPTED_COUNT = z
  .strictObject({ group_id: UUID, accepted_count: COUNT })
  .meta({
    description: 'The number of members that have accepted.',
    examples: [{ group_id: EXAMPLE_IDS.group_id, accepted_count: 2 }],
  })
  .register(COMPONENT_SCHEMAS, { id: 'AcceptedCount' });

export const MEMBER = z
  .strictObject({
    user_id: UUID,
    username: z.string(),
    display_name: z.string().nullable().describe('Null without a display name.'),
    role: z.enum(['owner', 'member']),
    status: STATUS,
    invited_at: TIME,
    responded_at: respondedAt,
    revision,
  })
  .describe('A member of a group.')
  .register(COMPONENT_SCHEMAS, { id: 'Member' });

export const MEMBER_LIST = z
  .strictObject({
    group_id: UUID,
    total: COUNT.describe('The number of members on all pages that match `status`.'),
    members: z.array(MEMBER).describe('In the order of their invitation.'),
    next_cursor: z.string().nullable().describe('The `cursor` of the next page. Null on the last page.'),
  })
  .meta({
    description: 'The members of a group, or a page of them.',
    examples: [
      {
        group_id: EXAMPLE_IDS.group_id,
        total: 3,
        members: [
          {
            user_id: EXAMPLE_IDS.user_id,
            username: 'ada',
            display_name: null,
            role: 'owner',
            status: 'accepted',
            invited_at: '2026-11-28T01:33:00.000Z',
            responded_at: RESPONDED_AT,
            revision: 1,
          },
        ],
        next_cursor: 'MjAyNi0xMS0yOHwwMTk4',
      },
    ],
  })
  .register(COMPONENT_SCHEMAS, { id: 'MemberList' });

export const COMPATIBILITY_SCORE = z
  .strictObject({
    group_id: UUID,
    compatibility_score: z.number().min(0).max(100).nullable(),
    source: z.string().nullable().describe('The name that its recorder gave.'),
    scored_at: TIME.nullable(),
    stale: z.boolean().nullable().describe('True when the members have changed since the score was recorded.'),
  })
  .meta({
    description: 'The stored compatibility score. All fields but the id are null before the first score.',
    examples: [
      {
        group_id: EXAMPLE_IDS.group_id,
        compatibility_score: 87.5,
        source: 'matcher',
        scored_at: RESPONDED_AT,
        stale: false,
      },
      { group_id: EXAMPLE_IDS.group_id, compatibility_score: null, source: null, scored_at: null, stale: null },
    ],
  })
  .register(COMPONENT_SCHEMAS, { id: 'CompatibilityScore' });

export const STATUS_CHANGE = z
  .strictObject({ status: STATUS })
  .meta({ description: 'A response. Unknown fields are rejected.', examples: [{ status: 'accepted' }] })
  .register(COMPONENT_SCHEMAS, { id: 'StatusChange' });

export const RECORDED_STATUS = z
  .strictObject({
    group_id: UUID,
    user_id: UUID,
    status: STATUS,
    responded_at: respondedAt,
    group_state: z.enum(['forming', 'confirmed', 'failed', 'expired', 'cancelled']),
    accepted_count: COUNT,
    changed: z.boolean().describe('False when the member already had this status.'),
  })
  .meta({
    description: 'The recorded response and its effect on the group.',
    examples: [
      {
        group_id: EXAMPLE_IDS.group_id,
        user_id: EXAMPLE_IDS.user_id,
        status: 'accepted',
        responded_at: RESPONDED_AT,
        group_state: 'confirmed',
        accepted_count: 2,
        changed: true,
      },
    ],
  })
  .register(COMPONENT_SCHEMAS, { id: 'RecordedStatus' });

/** Query parameters of the list of members. */
export const MEMBERS_QUERY = {
  status: STATUS.describe('Only members with this response.'),
  limit: z.int().min(1).max(1_000).describe('Length of a page. 100 when only `cursor` is given.'),
  cursor: z.string().describe('The `next_cursor` of the previous page.'),
};
