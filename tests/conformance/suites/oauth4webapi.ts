import assert from 'node:assert/strict';
import { ResponseBodyError } from 'oauth4webapi';
import { PASSWORD } from '../../support/service/test-users.js';
import { clientSuite } from '../client-suite.js';
import { discover, logIn, logOut, refresh, validate } from '../clients/oauth.js';

export const oauth4webapi = clientSuite('oauth4webapi', ['oauth4webapi'], {
  'logs in by the password grant, and reads the profile': async ({ url, owner }) => {
    const tokens = await logIn(await discover(url), owner.username, PASSWORD);
    const response = await fetch(`${url}/api/auth/me`, { headers: { authorization: `Bearer ${tokens.access_token}` } });
    assert.equal(((await response.json()) as { username: string }).username, owner.username);
    assert.equal(tokens.expires_in, 900);
  },

  'validates the access token with the published keys': async ({ url, owner }) => {
    const server = await discover(url);
    const { access_token: token } = await logIn(server, owner.username, PASSWORD);
    const received = new Request(url, { headers: { authorization: `Bearer ${token}` } });
    const claims = await validate(server, received, 'convene');
    assert.equal(claims.sub, owner.id);
    const foreign = new Request(url, { headers: { authorization: `Bearer ${token.slice(0, -4)}AAAA` } });
    await assert.rejects(validate(server, foreign, 'convene'));
  },

  'refreshes, and replaces the refresh token': async ({ url, owner }) => {
    const server = await discover(url);
    const first = await logIn(server, owner.username, PASSWORD);
    const second = await refresh(server, first.refresh_token ?? '');
    const repeated = await refresh(server, first.refresh_token ?? '');
    assert.notEqual(second.refresh_token, first.refresh_token);
    assert.equal(repeated.refresh_token, second.refresh_token);
  },

  'gets invalid_grant for a wrong password and after a log-out': async ({ url, owner }) => {
    const server = await discover(url);
    await assert.rejects(logIn(server, owner.username, 'wrong'), isInvalidGrant);
    const { refresh_token: token = '' } = await logIn(server, owner.username, PASSWORD);
    await logOut(server, token);
    await assert.rejects(refresh(server, token), isInvalidGrant);
  },
});

function isInvalidGrant(error: unknown): boolean {
  return error instanceof ResponseBodyError && error.error === 'invalid_grant' && error.status === 400;
}
