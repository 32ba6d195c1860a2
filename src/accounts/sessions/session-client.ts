import type { Client } from '../client.js';
import type { Session } from '../session.entity.js';

/** Long enough for any browser's. */
const MOST_CHARACTERS = 300;

/** What a session keeps of the client that uses it. A header may be as long as all headers together: its beginning will do. */
export function sessionClient({ address, userAgent }: Client): Pick<Session, 'address' | 'userAgent'> {
  return { address, userAgent: userAgent === null || userAgent === '' ? null : userAgent.slice(0, MOST_CHARACTERS) };
}
