// #region link
import { ApolloLink, Observable } from '@apollo/client';
import { print } from 'graphql';
import { createClient } from 'graphql-sse';

/** Sends operations as GraphQL over SSE. */
export function createSseLink(url: string, fetch: typeof globalThis.fetch): ApolloLink {
  const client = createClient({ url: `${url}/graphql`, fetchFn: fetch });
  return new ApolloLink(
    ({ query, variables }) =>
      new Observable((sink) =>
        client.subscribe<ApolloLink.Result['data']>(
          { query: print(query), variables },
          {
            next: (result) => {
              sink.next(result as ApolloLink.Result);
            },
            error: (error) => {
              sink.error(error);
            },
            complete: () => {
              sink.complete();
            },
          },
        ),
      ),
  );
}
// #endregion
