import { Readable } from 'node:stream';
import type { PaginatedList } from '../routes/route.js';

/**
 * Streams a complete list as one JSON text, page by page, so that memory use does not grow with the list.
 *
 * When a page fails, the stream ends with an error. The connection is then closed before the JSON text is complete.
 */
export function streamJsonList<Data, Variables>(
  list: PaginatedList<Data, Variables>,
  first: { readonly data: Data; readonly variables: Variables },
  readPage: (variables: Variables) => Promise<Data>,
): Readable {
  return Readable.from(textOf(list, first, readPage), { objectMode: false });
}

async function* textOf<Data, Variables>(
  list: PaginatedList<Data, Variables>,
  first: { readonly data: Data; readonly variables: Variables },
  readPage: (variables: Variables) => Promise<Data>,
): AsyncGenerator<string> {
  yield `${JSON.stringify(list.head(first.data)).slice(0, -1)},${JSON.stringify(list.member)}:[`;
  let { data, variables } = first;
  for (let isFirstPage = true; ; isFirstPage = false) {
    const items = list
      .items(data)
      .map((item) => JSON.stringify(item))
      .join(',');
    yield isFirstPage || items === '' ? items : `,${items}`;
    const next = list.next(data, variables);
    if (next === null) break;
    variables = next;
    data = await readPage(variables);
  }
  yield `],${JSON.stringify(list.tail).slice(1)}`;
}
