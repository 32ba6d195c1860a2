import { z } from 'zod';
import type { DemoRunner } from '../runner/demo-runner.js';
import type { SignedInUser } from './demo-users.js';

const CHANGE = z.object({ revision: z.number(), cause: z.string(), after: z.string() });

/** Members read their group; a request without a token is rejected. */
export async function readScenario(
  runner: DemoRunner,
  { ada, grace }: { ada: SignedInUser; grace: SignedInUser },
  groupId: string,
): Promise<void> {
  await runner.rest({
    description: 'Grace reads how many have accepted',
    method: 'GET',
    path: `/api/groups/${groupId}/accepted-count`,
    token: grace.token,
    status: 200,
    expected: z.object({ group_id: z.literal(groupId), accepted_count: z.literal(2) }),
  });
  const member = z.object({ user_id: z.uuid(), username: z.string(), status: z.literal('accepted') });
  await runner.rest({
    description: 'Ada reads who the members are',
    method: 'GET',
    path: `/api/groups/${groupId}/members`,
    token: ada.token,
    status: 200,
    expected: z.object({
      total: z.literal(2),
      members: z.tuple([
        member.extend({ user_id: z.literal(ada.userId), role: z.literal('owner') }),
        member.extend({ user_id: z.literal(grace.userId), role: z.literal('member') }),
      ]),
    }),
  });
  await runner.rest({
    description: 'A request without a token is rejected',
    method: 'GET',
    path: `/api/groups/${groupId}/members`,
    status: 401,
    expected: z.object({ reason: z.literal('TOKEN_MISSING') }),
  });
  await runner.graphql({
    description: 'Grace reads the group and its history in one request',
    operation:
      'query ($id: UUID!) { group(id: $id) { name state responseCounts { accepted } history { nodes { revision ' +
      'cause after } } } }',
    variables: { id: groupId },
    token: grace.token,
    expected: z.object({
      group: z.object({
        state: z.literal('CONFIRMED'),
        responseCounts: z.object({ accepted: z.literal(2) }),
        history: z.object({
          nodes: z
            .array(CHANGE)
            .length(5)
            .refine((changes) => changes.at(-1)?.after === 'CONFIRMED', 'the last must have led to CONFIRMED'),
        }),
      }),
    }),
  });
}
