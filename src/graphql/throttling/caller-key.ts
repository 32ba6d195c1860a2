import type { RequestContext } from '../context/request-context.js';

/** Identifies the caller by whom load is counted: the user, the API key, or the address of an anonymous caller. */
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
