// #region connect
import { cacheExchange, Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { createClient } from 'graphql-sse';

/** `fetch` sends the access token. */
export function connectUrql(url: string, fetch: typeof globalThis.fetch): Client {
  const sse = createClient({ url: `${url}/graphql`, fetchFn: fetch });
  const overSse = subscriptionExchange({
    forwardSubscription: ({ query = '', variables = {} }) => ({
      subscribe: (sink) => ({ unsubscribe: sse.subscribe({ query, variables }, sink) }),
    }),
  });
  return new Client({
    url: `${url}/graphql`,
    fetch,
    preferGetMethod: false,
    exchanges: [cacheExchange, fetchExchange, overSse],
  });
}
// #endregion
