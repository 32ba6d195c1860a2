import { z } from 'zod';
import type { DemoRunner } from '../runner/demo-runner.js';
import type { SignedInUser } from './demo-users.js';

const DEADLINE_MS = 1_500;
const TIMEOUT_MS = 10_000;

/** The owner changes quorum and deadline, and the state of the group follows. */
export async function changeRuleScenario(runner: DemoRunner, ada: SignedInUser, groupId: string): Promise<void> {
  await change(
    runner,
    ada,
    'Ada sets the quorum to three; two acceptances no longer suffice',
    { groupId, quorum: 3 },
    'FORMING',
  );
  const respondBy = new Date(Date.now() + DEADLINE_MS).toISOString();
  await change(runner, ada, 'Ada sets a deadline within seconds', { groupId, respondBy }, 'FORMING');
  await runner.graphql({
    description: 'The deadline passes',
    operation:
      'query ($id: UUID!) { group(id: $id) { state stateChangedAt history(stateChangesOnly: true) { nodes { cause ' +
      'before after } } } }',
    variables: { id: groupId },
    token: ada.token,
    expected: z.object({
      group: z.object({
        state: z.literal('EXPIRED'),
        stateChangedAt: z.literal(respondBy),
        history: z.object({
          nodes: z
            .array(z.object({ cause: z.string(), after: z.string() }))
            .refine(endsWithDeadline, 'the DEADLINE must be recorded'),
        }),
      }),
    }),
    timeoutMs: TIMEOUT_MS,
  });
  await change(
    runner,
    ada,
    'Ada removes the deadline, which opens the responses again',
    { groupId, respondBy: null },
    'FORMING',
  );
  await change(runner, ada, 'Ada sets the quorum to two again', { groupId, quorum: 2 }, 'CONFIRMED');
}

function endsWithDeadline(changes: readonly { cause: string; after: string }[]): boolean {
  const last = changes.at(-1);
  return last?.cause === 'DEADLINE' && last.after === 'EXPIRED';
}

async function change(
  runner: DemoRunner,
  { token }: SignedInUser,
  description: string,
  input: object,
  state: string,
): Promise<void> {
  await runner.graphql({
    description,
    operation:
      'mutation ($input: UpdateGroupInput!) { updateGroup(input: $input) { group { state quorum respondBy ' +
      'acceptedCount requiredCount } } }',
    variables: { input },
    token,
    expected: z.object({ updateGroup: z.object({ group: z.object({ state: z.literal(state) }) }) }),
  });
}
