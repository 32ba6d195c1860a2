import { z } from 'zod';
import type { DemoRunner } from '../demo-runner.js';
import type { DemoUser, DemoUsers, SignedInUser } from '../demo-users.js';

const PATH = '/api/auth/token';

/** Both get tokens, in either form that clients send, and see who they are. */
export async function signInScenario(
  play: DemoRunner,
  { ada, grace }: DemoUsers,
): Promise<{ ada: SignedInUser; grace: SignedInUser }> {
  const signedIn = {
    ada: await signIn(play, ada, 'Ada signs in', { username: ada.username, password: ada.password }),
    grace: await signIn(
      play,
      grace,
      'Grace signs in, with the form that OAuth clients send',
      new URLSearchParams({ grant_type: 'password', username: grace.username, password: grace.password }),
    ),
  };
  await play.rest({
    description: 'A wrong password signs nobody in',
    method: 'POST',
    path: PATH,
    body: { username: ada.username, password: 'not this one' },
    status: 401,
    expected: z.object({ reason: z.literal('WRONG_CREDENTIALS') }),
  });
  await play.rest({
    description: 'Ada reads her profile',
    method: 'GET',
    path: '/api/auth/me',
    token: signedIn.ada.token,
    status: 200,
    expected: z.object({
      user_id: z.literal(signedIn.ada.userId),
      username: z.literal(ada.username),
      roles: z.tuple([z.literal('user')]),
    }),
  });
  return signedIn;
}

async function signIn(play: DemoRunner, person: DemoUser, description: string, body: object): Promise<SignedInUser> {
  const { access_token: token, user_id: userId } = await play.rest({
    description,
    method: 'POST',
    path: PATH,
    body,
    status: 200,
    expected: z.object({
      access_token: z.string(),
      token_type: z.literal('bearer'),
      expires_in: z.number().positive(),
      user_id: z.uuid(),
    }),
  });
  return { person, userId, token };
}
