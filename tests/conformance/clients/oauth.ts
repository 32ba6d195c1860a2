// #region connect
import * as oauth from 'oauth4webapi';

const CLIENT: oauth.Client = { client_id: 'my-program' };
/** Over HTTPS, leave `insecure` out. */
// eslint-disable-next-line @typescript-eslint/no-deprecated -- the service under test has no TLS
const insecure = { [oauth.allowInsecureRequests]: true };

export async function discover(url: string): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(url);
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
  return oauth.processDiscoveryResponse(issuer, response);
}

export async function logIn(server: oauth.AuthorizationServer, username: string, password: string) {
  const parameters = { username, password };
  const request = oauth.genericTokenEndpointRequest(server, CLIENT, oauth.None(), 'password', parameters, insecure);
  return oauth.processGenericTokenEndpointResponse(server, CLIENT, await request);
}

export async function refresh(server: oauth.AuthorizationServer, refreshToken: string) {
  const request = oauth.refreshTokenGrantRequest(server, CLIENT, oauth.None(), refreshToken, insecure);
  return oauth.processRefreshTokenResponse(server, CLIENT, await request);
}

export async function logOut(server: oauth.AuthorizationServer, refreshToken: string): Promise<void> {
  const request = oauth.revocationRequest(server, CLIENT, oauth.None(), refreshToken, insecure);
  await oauth.processRevocationResponse(await request);
}
// #endregion

// #region validate
/** Validates the access token of a request that another service of yours receives. */
export function validate(server: oauth.AuthorizationServer, request: Request, audience: string) {
  return oauth.validateJwtAccessToken(server, request, audience, insecure);
}
// #endregion
