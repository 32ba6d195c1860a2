import { z } from 'zod';
import type { DemoRunner } from '../runner/demo-runner.js';
import type { DemoUser, DemoUsers, SignedInUser } from './demo-users.js';

const PATH = '/api/auth/token';

/** Both users log in, by JSON and by form, and read their profile. */
export async function signInScenario(
  runner: DemoRunner,
  { ada, grace }: DemoUsers,
): Promise<{ ada: SignedInUser; grace: SignedInUser }> {
  const signedIn = {
    ada: await signIn(runner, ada, 'Ada signs in', { username: ada.username, password: ada.password }),
    grace: await signIn(
      runner,
      grace,
      'Grace signs in, with the form that OAuth clients send',
      new URLSearchParams({ grant_type: 'password', username: grace.username, password: grace.password }),
    ),
  };
  await runner.rest({
    description: 'A wrong password is rejected',
    method: 'POST',
    path: PATH,
    body: { username: ada.username, password: 'not this one' },
    status: 401,
    expected: z.object({ reason: z.literal('WRONG_CREDENTIALS') }),
  });
  await runner.rest({
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

async function signIn(runner: DemoRunner, user: DemoUser, description: string, body: object): Promise<SignedInUser> {
  const { access_token: token, user_id: userId } = await runner.rest({
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
  return { user, userId, token };
}
