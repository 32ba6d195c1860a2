import { z } from 'zod';
import type { DemoRunner } from '../runner/demo-runner.js';
import type { SignedInUser } from './demo-users.js';
import { findMailedSecret } from './find-mailed-secret.js';

const TIMEOUT_MS = 20_000;
const FINISHED = z.enum(['DONE', 'SKIPPED']);

/**
 * The follow-ups of Ada's registration complete, and she verifies her address with the mailed link.
 *
 * @param outboxDir folder of the file mailer; null when mails are sent by SMTP
 */
export async function followUpScenario(runner: DemoRunner, ada: SignedInUser, outboxDir: string | null): Promise<void> {
  await runner.graphql({
    description: "The follow-ups of Ada's registration are done",
    operation: '{ me { followUps { name status attempts } } }',
    token: ada.token,
    expected: z.object({
      me: z.object({
        followUps: z
          .array(z.object({ name: z.string(), status: FINISHED }))
          .min(1)
          .refine(hasSentMail, 'verify_email must be DONE'),
      }),
    }),
    timeoutMs: TIMEOUT_MS,
  });
  const secret = outboxDir === null ? null : await findMailedSecret(outboxDir, ada.user.email ?? '', 'verify-email');
  if (secret === null) {
    runner.note(
      'The verification link cannot be read from here: it was mailed by a server, or written on another machine.',
    );
    return;
  }
  await verify(runner, secret);
}

function hasSentMail(followUps: readonly { name: string; status: string }[]): boolean {
  return followUps.some(({ name, status }) => name === 'verify_email' && status === 'DONE');
}

async function verify(runner: DemoRunner, secret: string): Promise<void> {
  await runner.graphql({
    description: 'Ada verifies her address with the secret of the mailed link',
    operation: 'mutation ($input: VerifyEmailInput!) { verifyEmail(input: $input) { user { email emailVerified } } }',
    variables: { input: { secret } },
    expected: z.object({ verifyEmail: z.object({ user: z.object({ emailVerified: z.literal(true) }) }) }),
  });
}
