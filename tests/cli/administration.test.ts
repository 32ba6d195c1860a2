import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';
import { registerAndSignIn } from './sign-in.js';
import { type CliWorld, openCliWorld } from './cli-world.js';

describe('the commands of administrators', () => {
  let world: CliWorld;
  let service: TestService;
  beforeAll(async () => {
    world = await openCliWorld();
    service = await startTestService({ settings: world.shared });
    await registerAndSignIn(service.url, 'ada');
  });
  afterAll(async () => {
    await service.remove();
    await world.close();
  });

  it('take away what "admin grant" gave', async () => {
    await world.convene('admin', 'grant', 'ada');
    expect(await world.convene('admin', 'revoke', 'ADA')).toEqual({ code: 0, out: 'ada is no administrator.', err: '' });
  });

  it('keep people out, let them in again, and list them', async () => {
    expect(await world.convene('users', 'disable', 'ada')).toEqual({ code: 0, out: 'ada is kept out.', err: '' });
    expect(await world.convene('users', 'enable', 'ada')).toEqual({ code: 0, out: 'ada is let in.', err: '' });
    expect(await world.convene('users', 'list', '--search', 'AD')).toMatchObject({ code: 0, err: '1 of 1.' });
  });

  it('list keys, and end one', async () => {
    await world.convene('api-key', 'create', '--name', 'kiosk', '--scope', 'groups:read');
    const { out } = await world.convene('api-key', 'list');
    const id = /^[\da-f-]{36}/m.exec(out)?.[0] ?? '';
    expect(await world.convene('api-key', 'revoke', id)).toEqual({ code: 0, out: 'The key "kiosk" has ended.', err: '' });
    expect(await world.convene('api-key', 'list')).toMatchObject({ out: '', err: '0 in all.' });
  });

  it('list what was done', async () => {
    const { out } = await world.convene('audit', 'list', '--user', 'ada');
    for (const action of ['role.granted', 'role.revoked', 'account.disabled', 'account.enabled', 'login']) expect(out).toContain(action);
  });
});
