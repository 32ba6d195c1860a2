import { z } from 'zod';
import { poll } from '../../../async/poll.js';
import type { DemoRunner } from '../runner/demo-runner.js';
import type { DemoUser, SignedInUser } from './demo-users.js';
import { findMailedSecret } from './find-mailed-secret.js';

const TIMEOUT_MS = 20_000;
const POLL_INTERVAL_MS = 200;

/**
 * Ada invites an address without an account. Its owner registers with the mailed secret and becomes a member.
 *
 * @param outboxDir folder of the file mailer; null when mails are sent by SMTP, which skips the scenario
 */
export async function inviteByMailScenario(
  runner: DemoRunner,
  ada: SignedInUser,
  linus: DemoUser,
  { groupId, outboxDir }: { groupId: string; outboxDir: string | null },
): Promise<void> {
  if (outboxDir === null) {
    runner.note('Inviting by mail is skipped: the mail is sent by SMTP, so the demo cannot read it.');
    return;
  }
  await runner.graphql({
    description: 'Ada invites an address; the response does not reveal whether it has an account',
    operation:
      'mutation ($input: InviteToGroupInput!) { inviteToGroup(input: $input) { results { outcome invitation { ' +
      'email } } group { state responseCounts { openInvitations } } } }',
    variables: { input: { groupId, invitees: [{ email: linus.email }] } },
    token: ada.token,
    expected: z.object({
      inviteToGroup: z.object({
        results: z.tuple([z.object({ outcome: z.literal('INVITATION_SENT') })]),
        group: z.object({ responseCounts: z.object({ openInvitations: z.literal(1) }) }),
      }),
    }),
  });
  const secret = await waitForSecret(outboxDir, linus.email ?? '');
  await runner.graphql({
    description: 'Linus reads the invitation from his mail, which changes nothing',
    operation: 'query ($secret: String!) { invitation(secret: $secret) { groupName invitedBy } }',
    variables: { secret },
    expected: z.object({ invitation: z.object({ groupName: z.string(), invitedBy: z.literal(ada.user.username) }) }),
  });
  await registerWith(runner, linus, secret);
}

async function registerWith(
  runner: DemoRunner,
  { username, password, email }: DemoUser,
  invitation: string,
): Promise<void> {
  await runner.rest({
    description: 'Linus registers with the secret of the invitation',
    method: 'POST',
    path: '/api/auth/register',
    body: { username, password, email, invitation },
    status: 201,
    expected: z.object({ username: z.literal(username) }),
  });
  const { access_token: token } = await runner.rest({
    description: 'Linus signs in',
    method: 'POST',
    path: '/api/auth/token',
    body: { username, password },
    status: 200,
    expected: z.object({ access_token: z.string() }),
  });
  await runner.graphql({
    description: 'He is a member, and his address is verified, because the invitation was mailed to it',
    operation: '{ me { emailVerified memberships { nodes { status group { name } } } followUps { name status } } }',
    token,
    expected: z.object({
      me: z.object({
        emailVerified: z.literal(true),
        memberships: z.object({
          nodes: z.tuple([z.object({ status: z.literal('PENDING'), group: z.object({ name: z.string() }) })]),
        }),
      }),
    }),
    timeoutMs: TIMEOUT_MS,
  });
}

async function waitForSecret(outboxDir: string, address: string): Promise<string> {
  const secret = await poll(
    () => findMailedSecret(outboxDir, address, 'invitation'),
    (found) => found !== null,
    TIMEOUT_MS,
    POLL_INTERVAL_MS,
  );
  if (secret === null) throw new Error(`No invitation was mailed to ${address} within ${TIMEOUT_MS / 1_000} s`);
  return secret;
}
