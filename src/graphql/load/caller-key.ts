import type { RequestContext } from '../context/request-context.js';

/** By whom work is counted: the person, the program, or the address of whoever shows no token. */
export function callerKey({ actor, client }: Pick<RequestContext, 'actor' | 'client'>): string {
  switch (actor.kind) {
    case 'user':
      return actor.userId;
    case 'service':
      return actor.apiKeyId;
    case 'anonymous':
      return client.address;
  }
}
