import { z } from 'zod';
import type { DemoRunner } from '../demo-runner.js';
import type { SignedInUser } from '../demo-users.js';

/** Ada watches the group; what Grace does reaches her as it happens. */
export async function subscribeScenario(
  play: DemoRunner,
  { ada, grace }: { ada: SignedInUser; grace: SignedInUser },
  groupId: string,
): Promise<void> {
  await play.watch({
    description: 'Ada watches the group, and Grace has second thoughts meanwhile',
    operation: `subscription ($groupId: UUID!) {
      groupChanged(groupId: $groupId) { revision cause actor { username } status before after counts { accepted tentative } }
    }`,
    variables: { groupId },
    token: ada.token,
    during: () =>
      play.rest({
        description: 'Grace may come, or may not',
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
        actor: z.object({ username: z.literal(grace.person.username) }),
        status: z.literal('TENTATIVE'),
        before: z.literal('CONFIRMED'),
        after: z.literal('FORMING'),
      }),
    }),
  });
}
