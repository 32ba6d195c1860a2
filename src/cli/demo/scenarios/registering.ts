import { z } from 'zod';
import type { DemoRunner } from '../demo-runner.js';
import type { DemoUser, DemoUsers } from '../demo-users.js';

const PATH = '/api/auth/register';

/** Two people get accounts; a name is nobody's twice. */
export async function registerScenario(play: DemoRunner, { ada, grace }: DemoUsers): Promise<void> {
  await register(play, ada, 'Ada registers, with an address; her follow-ups are queued');
  await register(play, grace, 'Grace registers, without one');
  await play.rest({
    description: 'Nobody gets a name that is taken, whatever its case',
    method: 'POST',
    path: PATH,
    body: { username: ada.username.toUpperCase(), password: ada.password },
    status: 409,
    expected: z.object({ reason: z.literal('USERNAME_TAKEN') }),
  });
}

async function register(play: DemoRunner, { username, password, email }: DemoUser, description: string): Promise<void> {
  await play.rest({
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
