import { z } from 'zod';
import type { DemoRunner } from '../runner/demo-runner.js';
import type { DemoUser, DemoUsers } from './demo-users.js';

const PATH = '/api/auth/register';

/** Two users register; a taken username is rejected. */
export async function registerScenario(runner: DemoRunner, { ada, grace }: DemoUsers): Promise<void> {
  await register(runner, ada, 'Ada registers with an address; her follow-ups are queued');
  await register(runner, grace, 'Grace registers without an address');
  await runner.rest({
    description: 'A second account cannot take the username, whatever its case',
    method: 'POST',
    path: PATH,
    body: { username: ada.username.toUpperCase(), password: ada.password },
    status: 409,
    expected: z.object({ reason: z.literal('USERNAME_TAKEN') }),
  });
}

async function register(
  runner: DemoRunner,
  { username, password, email }: DemoUser,
  description: string,
): Promise<void> {
  await runner.rest({
    description,
    method: 'POST',
    path: PATH,
    body: { username, password, ...(email === null ? {} : { email }) },
    status: 201,
    expected: z.object({
      username: z.literal(username),
      email: z.literal(email),
      email_verified: z.literal(false),
      follow_ups: z.array(z.object({ name: z.string(), status: z.string() })).min(1),
    }),
  });
}
