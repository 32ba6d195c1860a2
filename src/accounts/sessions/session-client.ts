import type { ClientInfo } from '../ports/client-info.js';
import type { Session } from './session.entity.js';

/** Longer than the user agent of any browser. */
const MAX_USER_AGENT_CHARACTERS = 300;
/** An IPv6 address with an embedded IPv4 address, the longest form. */
const MAX_ADDRESS_CHARACTERS = 45;

/**
 * The columns of a session that describe its client. Truncates the user agent, because a header may be as long as all
 * headers together.
 */
export function sessionClient({ address, userAgent }: ClientInfo): Pick<Session, 'address' | 'userAgent'> {
  return {
    address: address.slice(0, MAX_ADDRESS_CHARACTERS),
    userAgent: userAgent === null || userAgent === '' ? null : userAgent.slice(0, MAX_USER_AGENT_CHARACTERS),
  };
}
