import type { ClientInfo } from '../ports/client-info.js';
import type { Session } from './session.entity.js';

/** Long enough for any browser's. */
const MOST_CHARACTERS = 300;
/** An IPv6 address with an IPv4 address written at its end: nothing longer is one. */
const LONGEST_ADDRESS = 45;

/** What a session keeps of the client that uses it. A header may be as long as all headers together: its beginning will do. */
export function sessionClient({ address, userAgent }: ClientInfo): Pick<Session, 'address' | 'userAgent'> {
  return {
    address: address.slice(0, LONGEST_ADDRESS),
    userAgent: userAgent === null || userAgent === '' ? null : userAgent.slice(0, MOST_CHARACTERS),
  };
}
