import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { DemoRunner } from '../demo-runner.js';
import type { DemoUser, SignedInUser } from '../demo-users.js';
import { findMailedSecret } from '../mailed-secret.js';

const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 200;

/**
 * Ada invites somebody who has no account; he registers with what was mailed, and has his place.
 *
 * @param outboxDir where mails are written; null when they are really sent, and this scene cannot be played
 */
export async function inviteByMailScenario(
  play: DemoRunner,
  ada: SignedInUser,
  linus: DemoUser,
  { groupId, outboxDir }: { groupId: string; outboxDir: string | null },
): Promise<void> {
  if (outboxDir === null) {
    play.note('Inviting by mail is left out: the mail is really sent here, and cannot be read.');
    return;
  }
  await play.graphql({
    description: 'Ada invites an address; whoever has it, or nobody, the answer is the same',
    operation:
      'mutation ($input: InviteToGroupInput!) { inviteToGroup(input: $input) { results { outcome invitation { email } } group { state responseCounts { openInvitations } } } }',
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
  await play.graphql({
    description: 'Linus looks at the invitation from his mail; looking changes nothing',
    operation: 'query ($secret: String!) { invitation(secret: $secret) { groupName invitedBy } }',
    variables: { secret },
    expected: z.object({ invitation: z.object({ groupName: z.string(), invitedBy: z.literal(ada.person.username) }) }),
  });
  await registerWith(play, linus, secret);
}

async function registerWith(
  play: DemoRunner,
  { username, password, email }: DemoUser,
  invitation: string,
): Promise<void> {
  await play.rest({
    description: 'Linus registers with it',
    method: 'POST',
    path: '/api/auth/register',
    body: { username, password, email, invitation },
    status: 201,
    expected: z.object({ username: z.literal(username) }),
  });
  const { access_token: token } = await play.rest({
    description: 'Linus signs in',
    method: 'POST',
    path: '/api/auth/token',
    body: { username, password },
    status: 200,
    expected: z.object({ access_token: z.string() }),
  });
  await play.graphql({
    description: 'He has his place, and his address counts as proven, since the invitation came there',
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
    timeoutMs: PATIENCE_MS,
  });
}

async function waitForSecret(outboxDir: string, address: string): Promise<string> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const secret = await findMailedSecret(outboxDir, address, 'invitation');
    if (secret !== null) return secret;
    if (Date.now() > giveUpAt)
      throw new Error(`No invitation was mailed to ${address} within ${String(PATIENCE_MS / 1_000)} s`);
    await delay(LOOK_EVERY_MS);
  }
}
