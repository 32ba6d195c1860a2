import { z } from 'zod';
import type { DemoRunner } from '../runner/demo-runner.js';
import type { DemoUser } from './demo-users.js';

const PATH = '/api/auth/token';
const TOKENS = z.object({ access_token: z.string(), refresh_token: z.string() });

/** Reuse of a refresh token is rejected and revokes the session, with all of its tokens. */
export async function tokenReuseScenario(runner: DemoRunner, { username, password }: DemoUser): Promise<void> {
  const first = await runner.rest({
    description: 'Grace signs in on another device',
    method: 'POST',
    path: PATH,
    body: { username, password },
    status: 200,
    expected: TOKENS,
  });
  const second = await refresh(runner, 'The device renews its tokens', first.refresh_token);
  const third = await refresh(runner, 'The device renews its tokens again', second.refresh_token);
  await expectRejection(
    runner,
    'A thief uses the first refresh token, which was copied',
    first.refresh_token,
    'REFRESH_REUSED',
  );
  await expectRejection(
    runner,
    'The current refresh token of the device is rejected too',
    third.refresh_token,
    'REFRESH_INVALID',
  );
  await runner.rest({
    description: 'Its access token is rejected too, before it expires',
    method: 'GET',
    path: '/api/auth/me',
    token: third.access_token,
    status: 401,
    expected: z.object({ reason: z.literal('TOKEN_REVOKED') }),
  });
}

function refresh(runner: DemoRunner, description: string, refreshToken: string): Promise<z.infer<typeof TOKENS>> {
  return runner.rest({
    description,
    method: 'POST',
    path: PATH,
    body: { grant_type: 'refresh_token', refresh_token: refreshToken },
    status: 200,
    expected: TOKENS,
  });
}

async function expectRejection(
  runner: DemoRunner,
  description: string,
  refreshToken: string,
  reason: string,
): Promise<void> {
  await runner.rest({
    description,
    method: 'POST',
    path: PATH,
    body: { grant_type: 'refresh_token', refresh_token: refreshToken },
    status: 401,
    expected: z.object({ error: z.literal('invalid_grant'), reason: z.literal(reason) }),
  });
}
