import { LoggedOutError, type Session } from '../session/session.js';
import { isRepeatable, rejectsToken } from './token-rejection.js';

/**
 * Creates a `fetch` that sends the token of the session, unless the request has an `authorization` header of its own.
 *
 * When the service rejects the token, a query is sent again with a renewed one.
 */
export function createAuthorizedFetch(session: Session, send: typeof fetch): typeof fetch {
  return async (url, init) => {
    const token = new Headers(init?.headers).has('authorization') ? null : await readToken(session);
    if (token === null) return send(url, init);
    const response = await send(url, withToken(init, token));
    if (!(await rejectsToken(response))) return response;
    session.dropAccessToken(token);
    const renewed = await readToken(session);
    return renewed === null || !isRepeatable(init) ? response : send(url, withToken(init, renewed));
  };
}

/** Returns null without a session, also when the service has ended it. */
async function readToken(session: Session): Promise<string | null> {
  if (session.userId === null) return null;
  try {
    return await session.accessToken();
  } catch (error) {
    if (error instanceof LoggedOutError) return null;
    throw error;
  }
}

function withToken(init: RequestInit | undefined, token: string): RequestInit {
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}
