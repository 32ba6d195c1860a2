import { z } from 'zod';
import type { DemoRunner } from '../runner/demo-runner.js';
import type { SignedInUser } from './demo-users.js';

/** Ada subscribes to the group and receives the change that Grace makes. */
export async function subscribeScenario(
  runner: DemoRunner,
  { ada, grace }: { ada: SignedInUser; grace: SignedInUser },
  groupId: string,
): Promise<void> {
  await runner.watch({
    description: 'Ada subscribes to the group, and Grace changes her response',
    operation: `subscription ($groupId: UUID!) {
      groupChanged(groupId: $groupId) {
        revision cause actor { username } status before after counts { accepted tentative }
      }
    }`,
    variables: { groupId },
    token: ada.token,
    during: () =>
      runner.rest({
        description: 'Grace responds that she may accept',
        method: 'PATCH',
        path: `/api/groups/${groupId}/users/${grace.userId}/status`,
        body: { status: 'tentative' },
        token: grace.token,
        status: 200,
        expected: z.object({ status: z.literal('tentative'), group_state: z.literal('forming') }),
      }),
    expected: z.object({
      groupChanged: z.object({
        revision: z.number(),
        cause: z.literal('RESPONSE'),
        actor: z.object({ username: z.literal(grace.user.username) }),
        status: z.literal('TENTATIVE'),
        before: z.literal('CONFIRMED'),
        after: z.literal('FORMING'),
      }),
    }),
  });
}
