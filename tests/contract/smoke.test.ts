import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';

describe.each(['yoga', 'apollo'])('the whole service on %s', (engine) => {
  let service: TestService;
  beforeAll(async () => { service = await startTestService({ settings: { GRAPHQL_ENGINE: engine } }); });
  afterAll(() => service.remove());

  it('registers, logs in and tells who one is, through both doors', async () => {
    const json = { 'content-type': 'application/json' };
    const credentials = { username: 'ada', password: 'seven quiet lanterns' };
    const registered = await fetch(`${service.url}/api/auth/register`, { method: 'POST', headers: json, body: JSON.stringify(credentials) });
    expect(registered.status).toBe(201);
    const token = await (await fetch(`${service.url}/api/auth/token`, { method: 'POST', body: new URLSearchParams(credentials) })).json();
    expect(token).toMatchObject({ token_type: 'bearer', expires_in: 900 });
    const bearer = { authorization: `Bearer ${String((token as { access_token: unknown }).access_token)}` };
    const me = await (await fetch(`${service.url}/api/auth/me`, { headers: bearer })).json();
    expect(me).toMatchObject({ username: 'ada', email: null, roles: ['user'] });
    for (let round = 0; round < 3; round += 1) {
      const answer = await fetch(`${service.url}/graphql`, { method: 'POST', headers: { ...json, ...bearer }, body: JSON.stringify({ query: '{ me { username } }' }) });
      expect(await answer.json()).toEqual({ data: { me: { username: 'ada' } } });
    }
  });
});
