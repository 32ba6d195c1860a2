import { z } from 'zod';
import type { DemoRunner } from '../demo-runner.js';
import type { SignedInUser } from '../demo-users.js';
import { findMailedSecret } from '../mailed-secret.js';

const PATIENCE_MS = 20_000;
const OVER = z.enum(['DONE', 'SKIPPED']);

/**
 * What Ada's registration queued gets done, and she proves her address with the link that was mailed.
 *
 * @param outboxDir where mails are written; null when they are really sent
 */
export async function followUpScenario(play: DemoRunner, ada: SignedInUser, outboxDir: string | null): Promise<void> {
  await play.graphql({
    description: "The follow-ups of Ada's registration get done",
    operation: '{ me { followUps { name status attempts } } }',
    token: ada.token,
    expected: z.object({
      me: z.object({
        followUps: z
          .array(z.object({ name: z.string(), status: OVER }))
          .min(1)
          .refine(mailed, 'verify_email must be DONE'),
      }),
    }),
    timeoutMs: PATIENCE_MS,
  });
  const secret = outboxDir === null ? null : await findMailedSecret(outboxDir, ada.person.email ?? '', 'verify-email');
  if (secret === null) {
    play.note(
      'The verification link cannot be read from here: it was mailed by a server, or written on another machine.',
    );
    return;
  }
  await verify(play, secret);
}

function mailed(followUps: readonly { name: string; status: string }[]): boolean {
  return followUps.some(({ name, status }) => name === 'verify_email' && status === 'DONE');
}

async function verify(play: DemoRunner, secret: string): Promise<void> {
  await play.graphql({
    description: 'Ada proves her address with the secret from the mailed link',
    operation: 'mutation ($input: VerifyEmailInput!) { verifyEmail(input: $input) { user { email emailVerified } } }',
    variables: { input: { secret } },
    expected: z.object({ verifyEmail: z.object({ user: z.object({ emailVerified: z.literal(true) }) }) }),
  });
}
