/** A request that a client has sent, and the head of its response. */
interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly status: number;
  readonly contentType: string;
}

export interface RecordingFetch {
  readonly fetch: typeof fetch;
  readonly exchanges: Exchange[];
}

export function recordingFetch(send: typeof fetch): RecordingFetch {
  const exchanges: Exchange[] = [];
  return {
    exchanges,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const body = await request.clone().text();
      const response = await send(request);
      const { pathname, search } = new URL(request.url);
      const contentType = response.headers.get('content-type') ?? '';
      exchanges.push({ method: request.method, path: pathname + search, body, status: response.status, contentType });
      return response;
    },
  };
}
