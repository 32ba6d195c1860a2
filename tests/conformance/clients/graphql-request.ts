// #region connect
import { GraphQLClient } from 'graphql-request';

export function connectGraphqlRequest(url: string, fetch: typeof globalThis.fetch): GraphQLClient {
  return new GraphQLClient(`${url}/graphql`, { fetch });
}
// #endregion
