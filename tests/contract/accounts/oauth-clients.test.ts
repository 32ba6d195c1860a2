import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import { KEY_ACTIVATION_DELAY_MS } from '../../../src/accounts/tokens/key-rotation-policy.js';
import { rotateSigningKey } from '../../../src/accounts/tokens/rotate-signing-key.js';
import { fakeClock } from '../../support/fake-clock.js';
import { TestClient } from '../../support/http/test-client.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { PASSWORD, registerUser, type TestUser } from '../../support/service/test-users.js';

/** The tests run against this host without TLS. */
// eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so that no client uses it in production
const INSECURE = { [oauth.allowInsecureRequests]: true };
const CLIENT: oauth.Client = { client_id: 'convene' };
const NO_AUTHENTICATION = oauth.None();
const AUDIENCE = 'convene';

let service: TestService;
let server: oauth.AuthorizationServer;
let ada: TestUser;
/** Strict clients use the system time. */
const clock = fakeClock(new Date());

beforeAll(async () => {
  service = await startTestService({ clock, hasher: FAKE_HASHER, settings: { PUBLIC_URL: '' } });
  ada = await registerUser(service, 'ada');
  const issuer = new URL(service.publicUrl.href);
  server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE }),
  );
});
afterAll(() => service.remove());

async function logIn(password = PASSWORD): Promise<oauth.TokenEndpointResponse> {
  const response = await oauth.genericTokenEndpointRequest(
    server,
    CLIENT,
    NO_AUTHENTICATION,
    'password',
    { username: 'ada', password },
    INSECURE,
  );
  return oauth.processGenericTokenEndpointResponse(server, CLIENT, response);
}

async function refresh(token: string | undefined): Promise<oauth.TokenEndpointResponse> {
  const response = await oauth.refreshTokenGrantRequest(server, CLIENT, NO_AUTHENTICATION, token ?? '', INSECURE);
  return oauth.processRefreshTokenResponse(server, CLIENT, response);
}

async function revoke(token: string | undefined, hint?: string): Promise<void> {
  const additionalParameters = hint === undefined ? {} : { token_type_hint: hint };
  const response = await oauth.revocationRequest(server, CLIENT, NO_AUTHENTICATION, token ?? '', {
    ...INSECURE,
    additionalParameters,
  });
  await oauth.processRevocationResponse(response);
}

function validate(accessToken: string): Promise<oauth.JWTAccessTokenClaims> {
  const request = new Request(service.publicUrl.href, { headers: { authorization: `Bearer ${accessToken}` } });
  return oauth.validateJwtAccessToken(server, request, AUDIENCE, INSECURE);
}

describe('oauth4webapi', () => {
  it('discovers the token, revocation and key endpoints', () => {
    const publicUrl = service.publicUrl.href;
    expect(server).toEqual({
      issuer: publicUrl,
      jwks_uri: `${publicUrl}/.well-known/jwks.json`,
      token_endpoint: `${publicUrl}/api/auth/token`,
      token_endpoint_auth_methods_supported: ['none'],
      grant_types_supported: ['password', 'refresh_token'],
      response_types_supported: [],
      revocation_endpoint: `${publicUrl}/api/auth/revoke`,
      revocation_endpoint_auth_methods_supported: ['none'],
    });
  });

  it('accepts the responses to a login and to a refresh', async () => {
    const login = await logIn();
    expect(login).toMatchObject({ token_type: 'bearer', expires_in: 900, refresh_token: expect.any(String) });
    const refreshed = await refresh(login.refresh_token);
    expect(refreshed).toMatchObject({ token_type: 'bearer', expires_in: 900 });
    expect(refreshed.refresh_token).not.toBe(login.refresh_token);
  });

  it('accepts the access tokens as RFC 9068 describes them', async () => {
    const { access_token: token, user_id: userId } = await logIn();
    expect(await validate(token)).toMatchObject({
      iss: service.publicUrl.href,
      aud: AUDIENCE,
      sub: userId,
      client_id: 'convene',
      roles: ['USER'],
    });
  });

  it('rejects a refresh token as an access token', async () => {
    const { refresh_token: token } = await logIn();
    await expect(validate(token ?? '')).rejects.toBeInstanceOf(oauth.OperationProcessingError);
  });

  it('revokes sessions by either kind of token, without an error for unknown tokens', async () => {
    const [one, two] = [await logIn(), await logIn()];
    await revoke(one.refresh_token, 'refresh_token');
    await revoke(two.access_token, 'access_token');
    await revoke('whatever');
    for (const { access_token: token } of [one, two])
      expect((await new TestClient(service.url, token).get('/api/auth/me')).status).toBe(401);
    await expect(refresh(one.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant', status: 400 });
  });

  it('parses the errors', async () => {
    const wrong: unknown = await logIn('wrong').catch((error: unknown) => error);
    expect(wrong).toBeInstanceOf(oauth.ResponseBodyError);
    expect(wrong).toMatchObject({ error: 'invalid_grant', status: 400 });
    await expect(refresh('cvr_unknown')).rejects.toMatchObject({ error: 'invalid_grant', status: 400 });
    const response = await oauth.genericTokenEndpointRequest(
      server,
      CLIENT,
      NO_AUTHENTICATION,
      'client_credentials',
      {},
      INSECURE,
    );
    await expect(oauth.processGenericTokenEndpointResponse(server, CLIENT, response)).rejects.toMatchObject({
      error: 'unsupported_grant_type',
      status: 400,
    });
  });
});

describe('jose', () => {
  const RULES = {
    issuer: '',
    audience: AUDIENCE,
    typ: 'at+jwt',
    algorithms: ['ES256'],
    requiredClaims: ['sub', 'sid', 'jti', 'client_id', 'iat', 'exp'],
  };

  it('verifies tokens with the published keys, before and after a key rotation', async () => {
    const keys = createRemoteJWKSet(new URL(server.jwks_uri ?? ''), { cooldownDuration: 0 });
    const rules = { ...RULES, issuer: server.issuer };
    const { access_token: before } = await logIn();
    const first = await jwtVerify(before, keys, rules);
    expect(first.payload).toMatchObject({ sub: ada.id, client_id: 'convene' });
    const { database, serverSecret } = service.accounts;
    const kid = await rotateSigningKey({ database, serverSecret, clock, accessTokenTtlMs: 900_000 });
    await service.keys.reload();
    clock.advance(KEY_ACTIVATION_DELAY_MS);
    const { access_token: after } = await logIn();
    const second = await jwtVerify(after, keys, { ...rules, currentDate: clock.now() });
    expect([first.protectedHeader.kid === kid, second.protectedHeader.kid]).toEqual([false, kid]);
    await expect(jwtVerify(before, keys, { ...rules, currentDate: clock.now() })).resolves.toBeDefined();
    clock.moveTo(new Date());
  });

  it('rejects tokens for another issuer or audience, or altered tokens', async () => {
    const keys = createRemoteJWKSet(new URL(server.jwks_uri ?? ''));
    const rules = { ...RULES, issuer: server.issuer };
    const { access_token: token } = await logIn();
    await expect(jwtVerify(token, keys, { ...rules, audience: 'another' })).rejects.toBeInstanceOf(
      errors.JWTClaimValidationFailed,
    );
    await expect(jwtVerify(token, keys, { ...rules, issuer: 'https://convene.example' })).rejects.toBeInstanceOf(
      errors.JWTClaimValidationFailed,
    );
    const [header, payload, signature = ''] = token.split('.');
    const altered = `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    await expect(jwtVerify(altered, keys, rules)).rejects.toBeInstanceOf(errors.JWSSignatureVerificationFailed);
  });
});

describe('the published documents', () => {
  it('are cacheable for less time than a new key takes to sign, and hold no secrets', async () => {
    const anonymous = new TestClient(service.url);
    const jwks = await anonymous.get('/.well-known/jwks.json');
    const metadata = await anonymous.get('/.well-known/oauth-authorization-server');
    const maxAges = [jwks, metadata].map(({ headers }) =>
      Number(/^public, max-age=(\d+)$/.exec(headers.get('cache-control') ?? '')?.[1]),
    );
    expect(maxAges[0]).toBeGreaterThan(0);
    expect(maxAges[0]! * 1_000).toBeLessThan(KEY_ACTIVATION_DELAY_MS);
    expect(maxAges[1]).toBeGreaterThan(0);
    for (const key of (jwks.body as { keys: object[] }).keys)
      expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    for (const path of ['/.well-known/jwks.json', '/.well-known/oauth-authorization-server']) {
      expect((await anonymous.send('HEAD', path)).status).toBe(200);
      expect((await anonymous.post(path, {})).headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    }
  });
});
