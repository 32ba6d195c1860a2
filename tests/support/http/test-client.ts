/** A response with its complete body. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body when it is JSON of any kind; undefined otherwise. */
  readonly body: unknown;
}

/** Status and headers, without values that differ between responses or belong to the connection. */
export function comparableHead({ status, headers }: Pick<TestResponse, 'status' | 'headers'>): Record<string, unknown> {
  const { date, connection, 'keep-alive': _, 'x-request-id': requestId, ...same } = Object.fromEntries(headers);
  return {
    ...same,
    status,
    hasDate: date !== undefined,
    hasId: requestId !== undefined,
    hasConnection: connection !== undefined,
  };
}

export interface Request {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly body?: string | URLSearchParams | Uint8Array<ArrayBuffer>;
}

export interface GraphqlResponse<Data = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly data?: Data | null;
  readonly errors?: readonly GraphqlResponseError[];
}

export interface GraphqlResponseError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** A client of the service with a token, or anonymous. */
export class TestClient {
  readonly #url: string;
  readonly token: string | null;

  constructor(url: string, token: string | null = null) {
    this.#url = url;
    this.token = token;
  }

  with(token: string): TestClient {
    return new TestClient(this.#url, token);
  }

  async send(method: string, path: string, { headers = {}, json, body }: Request = {}): Promise<TestResponse> {
    const response = await fetch(this.#url + path, {
      method,
      headers: {
        ...(this.token === null ? {} : { authorization: `Bearer ${this.token}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      redirect: 'manual',
      body: json === undefined ? (body ?? null) : JSON.stringify(json),
    });
    const text = await response.text();
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    };
  }

  get(path: string, headers: Request['headers'] = {}): Promise<TestResponse> {
    return this.send('GET', path, { headers });
  }

  post(path: string, json: unknown, headers: Request['headers'] = {}): Promise<TestResponse> {
    return this.send('POST', path, { headers, json });
  }

  patch(path: string, json: unknown, headers: Request['headers'] = {}): Promise<TestResponse> {
    return this.send('PATCH', path, { headers, json });
  }

  async graphql<Data = Record<string, unknown>>(
    query: string,
    variables: Readonly<Record<string, unknown>> = {},
    headers: Request['headers'] = {},
  ): Promise<GraphqlResponse<Data>> {
    const response = await this.post('/graphql', { query, variables }, headers);
    return { ...(response.body as object), status: response.status, headers: response.headers, text: response.text };
  }

  /** Returns the data of an operation that must succeed. */
  async data<Data = Record<string, unknown>>(
    query: string,
    variables: Readonly<Record<string, unknown>> = {},
  ): Promise<Data> {
    const { data, errors, text } = await this.graphql<Data>(query, variables);
    if (data === undefined || data === null || errors !== undefined) throw new Error(`the operation failed: ${text}`);
    return data;
  }
}
