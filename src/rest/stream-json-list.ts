import { Readable } from 'node:stream';
import type { PaginatedList } from './route.js';

/**
 * The complete list as one JSON text, written page by page, so that memory stays flat however long it is.
 *
 * A page that fails ends the stream with an error: the connection breaks off and the text never looks whole.
 */
export function streamJsonList<Data, Variables>(
  list: PaginatedList<Data, Variables>,
  first: { readonly data: Data; readonly variables: Variables },
  readPage: (variables: Variables) => Promise<Data>,
): Readable {
  return Readable.from(text(list, first, readPage), { objectMode: false });
}

async function* text<Data, Variables>(
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
