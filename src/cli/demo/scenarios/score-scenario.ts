import { z } from 'zod';
import { createApiKey } from '../../../accounts/index.js';
import { HOUR_MS } from '../../../async/durations.js';
import type { Core } from '../../../open-core.js';
import type { DemoRunner } from '../runner/demo-runner.js';
import type { SignedInUser } from './demo-users.js';

const SCORE = 87.5;

/** An API client writes the score of the group with a key of the operator, and a member reads it. */
export async function scoreScenario(
  runner: DemoRunner,
  { accounts }: Core,
  member: SignedInUser,
  groupId: string,
): Promise<void> {
  const path = `/api/groups/${groupId}/compatibility_score`;
  await runner.rest({
    description: 'The group has no score yet, which is no error',
    method: 'GET',
    path,
    token: member.token,
    status: 200,
    expected: z.object({ group_id: z.literal(groupId), compatibility_score: z.null() }),
  });
  runner.note(
    'The operator creates a key: ' +
      `convene api-key create --name demo --scope scores:write --group ${groupId} --expires 1h`,
  );
  const { secret } = await createApiKey(accounts, {
    name: 'demo',
    scopes: ['scores:write'],
    groupIds: [groupId],
    expiresAt: new Date(accounts.clock.now().getTime() + HOUR_MS),
  });
  await runner.graphql({
    description: 'An API client writes the score with that key',
    operation: `mutation ($input: RecordCompatibilityScoreInput!) {
      recordCompatibilityScore(input: $input) { group { compatibilityScore { value source } } }
    }`,
    variables: { input: { groupId, value: SCORE, source: 'demo' } },
    token: secret,
    expected: z.object({
      recordCompatibilityScore: z.object({
        group: z.object({ compatibilityScore: z.object({ value: z.literal(SCORE), source: z.literal('demo') }) }),
      }),
    }),
  });
  await runner.rest({
    description: `${member.user.name} reads the score`,
    method: 'GET',
    path,
    token: member.token,
    status: 200,
    expected: z.object({ compatibility_score: z.literal(SCORE), source: z.literal('demo'), stale: z.literal(false) }),
  });
}
