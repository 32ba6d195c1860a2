export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  /** Lifetime of the access token in seconds. */
  readonly expires_in: number;
}

// #region tokens
/** Logs in with `{ username, password }`, or refreshes with `{ grant_type, refresh_token }`. */
export async function requestTokens(url: string, parameters: Record<string, string>): Promise<Tokens> {
  const response = await fetch(`${url}/api/auth/token`, { method: 'POST', body: new URLSearchParams(parameters) });
  if (!response.ok) throw new Error(`Log in again: ${await response.text()}`);
  return (await response.json()) as Tokens;
}
// #endregion

// #region session
/** Returns a function that returns a valid access token. Calls that need a refresh at the same time share one. */
export function createSession(url: string, first: Tokens): () => Promise<string> {
  let [tokens, expiresAt] = [first, Date.now() + first.expires_in * 1_000];
  let refreshing: Promise<void> | null = null;
  const refresh = async (): Promise<void> => {
    tokens = await requestTokens(url, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
    expiresAt = Date.now() + tokens.expires_in * 1_000;
  };
  return async () => {
    if (Date.now() > expiresAt - 30_000) await (refreshing ??= refresh().finally(() => (refreshing = null)));
    return tokens.access_token;
  };
}
// #endregion

// #region fetch
/** Returns a `fetch` that sends the access token. */
export function withToken(accessToken: () => Promise<string>): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    request.headers.set('authorization', `Bearer ${await accessToken()}`);
    return fetch(request);
  };
}
// #endregion
