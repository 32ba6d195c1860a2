import { describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../../../src/async/durations.js';
import { registerAndSignIn } from '../fixtures/register-and-sign-in.js';
import { useCliWithService } from '../fixtures/use-cli-with-service.js';

describe('convene api-key create', () => {
  const running = useCliWithService();

  async function createGroup(token: string): Promise<string> {
    const response = await fetch(`${running.service.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: 'mutation { createGroup(input: { name: "Hike" }) { group { id } } }' }),
    });
    return ((await response.json()) as { data: { createGroup: { group: { id: string } } } }).data.createGroup.group.id;
  }

  function readGroup(groupId: string, secret: string): Promise<Response> {
    return fetch(`${running.service.url}/api/groups/${groupId}/accepted-count`, {
      headers: { authorization: `Bearer ${secret}` },
    });
  }

  it('prints only the secret, which gives access to its group alone', async () => {
    const ada = await registerAndSignIn(running.service.url, 'ada');
    const [groupId, otherId] = [await createGroup(ada.token), await createGroup(ada.token)];
    const { code, out, err } = await running.fixture.convene(
      'api-key',
      'create',
      '--name',
      'kiosk',
      '--scope',
      'groups:read',
      '--group',
      groupId.toUpperCase(),
    );
    expect(code).toBe(0);
    expect(out).toMatch(/^cvn_[\w-]{43}$/);
    expect(err).toContain(`The key "kiosk"`);
    expect(err).toContain(`has groups:read for ${groupId}; it does not expire.`);
    expect(err).not.toContain(out);
    expect((await readGroup(groupId, out)).status).toBe(200);
    expect((await readGroup(otherId, out)).status).toBe(404);
  });

  it('accepts several scopes and a relative expiry', async () => {
    const before = Date.now();
    const { code, err } = await running.fixture.convene(
      'api-key',
      'create',
      '--name',
      'matching',
      '--scope',
      'scores:write',
      '--scope',
      'groups:read',
      '--expires',
      '90d',
    );
    expect(code).toBe(0);
    expect(err).toContain('has scores:write and groups:read for every group');
    const until = Date.parse(/until (\S+)\./.exec(err)?.[1] ?? '');
    expect(until - before).toBeGreaterThanOrEqual(90 * DAY_MS);
    expect(until - before).toBeLessThan(91 * DAY_MS);
  });

  it('rejects a group that does not exist', async () => {
    const id = '0199a0c2-8b1e-7c3a-9d4f-2e6b7a8c9d0e';
    const { code, out, err } = await running.fixture.convene(
      'api-key',
      'create',
      '--name',
      'kiosk',
      '--scope',
      'groups:read',
      '--group',
      id,
    );
    expect([code, out, err]).toEqual([1, '', `There is no group ${id}.`]);
  });

  it.each([
    ['an expiry that has passed', ['--name', 'old', '--expires', '2020-01-31'], 'expiresAt must be in the future'],
    ['a name that says nothing', ['--name', ''], 'name must be 1 to 80 characters'],
  ])('leaves it to the domain to refuse %s', async (_, args, message) => {
    expect(await running.fixture.convene('api-key', 'create', '--scope', 'groups:read', ...args)).toEqual({
      code: 1,
      out: '',
      err: message,
    });
  });
});
