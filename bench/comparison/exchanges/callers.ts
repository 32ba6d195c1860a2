import { groupOf, readerOf, strangerOf, type Write } from './choices.js';
import type { BenchRequest, Exchange } from './exchange.js';

type Requests = Pick<Exchange, 'request' | 'strangerRequest'>;

/** Requests about a group, of one of its members and of a user who is not in it. */
export function byMember(requestOf: (i: number, user: number) => BenchRequest): Requests {
  return {
    request: (i) => requestOf(i, readerOf(i)),
    strangerRequest: (i) => requestOf(i, strangerOf(groupOf(i))),
  };
}

/** Changes of a member's status, by that member and by a user who is not in the group. */
export function byWriter(
  choose: (i: number) => Write,
  requestOf: (write: Write, user: number) => BenchRequest,
): Requests {
  return {
    request: (i) => requestOf(choose(i), choose(i).user),
    strangerRequest: (i) => requestOf(choose(i), strangerOf(choose(i).group)),
  };
}
