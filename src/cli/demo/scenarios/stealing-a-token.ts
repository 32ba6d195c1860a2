import { z } from 'zod';
import type { DemoRunner } from '../demo-runner.js';
import type { DemoUser } from '../demo-users.js';

const PATH = '/api/auth/token';
const TOKENS = z.object({ access_token: z.string(), refresh_token: z.string() });

/** A refresh token that was used before is refused, and the session that it belonged to ends for thief and owner alike. */
export async function tokenReuseScenario(play: DemoRunner, { username, password }: DemoUser): Promise<void> {
  const first = await play.rest({
    description: 'Grace signs in on another device',
    method: 'POST',
    path: PATH,
    body: { username, password },
    status: 200,
    expected: TOKENS,
  });
  const second = await refresh(play, 'The device renews its tokens', first.refresh_token);
  const third = await refresh(play, 'And again', second.refresh_token);
  await refuse(
    play,
    'A thief comes with the token that was copied at the start',
    first.refresh_token,
    'REFRESH_REUSED',
  );
  await refuse(
    play,
    "From now on the device's own token is worth nothing, either",
    third.refresh_token,
    'REFRESH_INVALID',
  );
  await play.rest({
    description: 'Nor is its access token, before its time',
    method: 'GET',
    path: '/api/auth/me',
    token: third.access_token,
    status: 401,
    expected: z.object({ reason: z.literal('TOKEN_REVOKED') }),
  });
}

function refresh(play: DemoRunner, description: string, refreshToken: string): Promise<z.infer<typeof TOKENS>> {
  return play.rest({
    description,
    method: 'POST',
    path: PATH,
    body: { grant_type: 'refresh_token', refresh_token: refreshToken },
    status: 200,
    expected: TOKENS,
  });
}

async function refuse(play: DemoRunner, description: string, refreshToken: string, reason: string): Promise<void> {
  await play.rest({
    description,
    method: 'POST',
    path: PATH,
    body: { grant_type: 'refresh_token', refresh_token: refreshToken },
    status: 401,
    expected: z.object({ error: z.literal('invalid_grant'), reason: z.literal(reason) }),
  });
}
