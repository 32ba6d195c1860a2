const PASSWORD = 'seven quiet lanterns';

export interface Caller {
  readonly token: string;
  readonly userId: string;
  me(): Promise<unknown>;
}

/** Registers somebody at a running service, and signs them in. */
export async function registerAndSignIn(url: string, username: string): Promise<Caller> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ username, password: PASSWORD });
  const registered = await fetch(`${url}/api/auth/register`, { method: 'POST', headers, body });
  if (registered.status !== 201) throw new Error(`could not register: ${await registered.text()}`);
  const answer = await fetch(`${url}/api/auth/token`, { method: 'POST', headers, body });
  const { access_token: token, user_id: userId } = (await answer.json()) as { access_token: string; user_id: string };
  return {
    token,
    userId,
    me: async () => (await fetch(`${url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })).json(),
  };
}
