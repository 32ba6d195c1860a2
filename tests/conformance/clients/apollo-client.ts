// #region connect
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';

/** `fetch` sends the access token. Subscriptions use Apollo's multipart protocol, without any further link. */
export function connectApolloClient(url: string, fetch: typeof globalThis.fetch): ApolloClient {
  return new ApolloClient({
    link: new HttpLink({ uri: `${url}/graphql`, fetch }),
    cache: new InMemoryCache({
      typePolicies: { Group: { fields: { members: relayStylePagination(['status']) } } },
    }),
  });
}
// #endregion
