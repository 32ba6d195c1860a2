import { z } from 'zod';
import type { DemoRunner } from '../runner/demo-runner.js';
import type { SignedInUser } from './demo-users.js';

/** Both members respond over GraphQL and REST until the group is confirmed. */
export async function respondScenario(
  runner: DemoRunner,
  { ada, grace }: { ada: SignedInUser; grace: SignedInUser },
  groupId: string,
): Promise<void> {
  const statusOf = ({ userId }: SignedInUser): string => `/api/groups/${groupId}/users/${userId}/status`;
  await runner.graphql({
    description: 'Ada responds that she may accept',
    operation: `mutation ($input: UpdateMemberStatusInput!) {
      updateMemberStatus(input: $input) { changed previousState member { status } group { state acceptedCount } }
    }`,
    variables: { input: { groupId, userId: ada.userId, status: 'TENTATIVE' } },
    token: ada.token,
    expected: z.object({
      updateMemberStatus: z.object({
        changed: z.literal(true),
        member: z.object({ status: z.literal('TENTATIVE') }),
        group: z.object({ state: z.literal('FORMING'), acceptedCount: z.literal(0) }),
      }),
    }),
  });
  await runner.rest({
    description: 'A member cannot respond for another member',
    method: 'PATCH',
    path: statusOf(grace),
    body: { status: 'accepted' },
    token: ada.token,
    status: 403,
    expected: z.object({ reason: z.literal('NOT_YOUR_MEMBERSHIP') }),
  });
  await runner.rest({
    description: 'Grace accepts',
    method: 'PATCH',
    path: statusOf(grace),
    body: { status: 'accepted' },
    token: grace.token,
    status: 200,
    expected: z.object({
      status: z.literal('accepted'),
      group_state: z.literal('forming'),
      accepted_count: z.literal(1),
      changed: z.literal(true),
    }),
  });
  await runner.rest({
    description: 'Ada accepts, which confirms the group',
    method: 'PATCH',
    path: statusOf(ada),
    body: { status: 'accepted' },
    token: ada.token,
    status: 200,
    expected: z.object({
      status: z.literal('accepted'),
      group_state: z.literal('confirmed'),
      accepted_count: z.literal(2),
      changed: z.literal(true),
    }),
  });
}
