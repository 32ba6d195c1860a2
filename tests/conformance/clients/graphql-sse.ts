// #region watch
import { createClient } from 'graphql-sse';

export interface Change {
  readonly revision: number;
  readonly cause: string;
  readonly after: string;
}

const CHANGES = `subscription ($id: UUID!, $after: Int) {
  groupChanged(groupId: $id, afterRevision: $after) { revision cause after }
}`;

/** Yields each change after the given revision once, over any number of connections. */
export async function* watchGroup(url: string, fetch: typeof globalThis.fetch, id: string, after: number) {
  const client = createClient({ url: `${url}/graphql`, fetchFn: fetch, retryAttempts: 0 });
  for (let revision = after; ;) {
    try {
      const variables = { id, after: revision };
      for await (const { data, errors } of client.iterate<{ groupChanged: Change }>({ query: CHANGES, variables })) {
        if (errors !== undefined) throw new AggregateError(errors, 'The stream has ended');
        if (data?.groupChanged === undefined) continue;
        revision = data.groupChanged.revision;
        yield data.groupChanged;
      }
    } catch (error) {
      if (error instanceof AggregateError) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1_000 + 2_000 * Math.random()));
    }
  }
}
// #endregion
