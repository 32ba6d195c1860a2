import type { GraphqlResponse, GraphqlResponseError } from './test-client.js';

/** A caller with its token. */
interface Sender {
  readonly token: string | null;
}

interface Sent {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

const EVENTS = 'text/event-stream';

/** Every way to send an operation to the service, by name. */
export const TRANSPORTS = {
  POST: (url, sender, sent) => read(post(url, sender, sent, 'application/json')),
  'POST, as graphql-response+json': (url, sender, sent) =>
    read(post(url, sender, sent, 'application/graphql-response+json')),
  GET: (url, sender, sent) => read(get(url, sender, sent, 'application/json')),
  'events by POST': (url, sender, sent) => readEvents(post(url, sender, sent, EVENTS)),
  'events by GET': (url, sender, sent) => readEvents(get(url, sender, sent, EVENTS)),
} as const satisfies Record<string, Transport>;

export type TransportName = keyof typeof TRANSPORTS;
type Transport = (url: string, sender: Sender, sent: Sent) => Promise<GraphqlResponse>;

export const TRANSPORT_NAMES = Object.keys(TRANSPORTS) as TransportName[];

/** The transports that stream, and so accept subscriptions. */
export const EVENT_TRANSPORTS: readonly TransportName[] = ['events by POST', 'events by GET'];

function headersOf({ token }: Sender, accept: string): Record<string, string> {
  return { accept, ...(token === null ? {} : { authorization: `Bearer ${token}` }) };
}

function post(url: string, sender: Sender, sent: Sent, accept: string): Promise<Response> {
  return fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { ...headersOf(sender, accept), 'content-type': 'application/json' },
    body: JSON.stringify(sent),
  });
}

function get(url: string, sender: Sender, { query, variables = {} }: Sent, accept: string): Promise<Response> {
  const parameters = new URLSearchParams({ query, variables: JSON.stringify(variables) });
  return fetch(`${url}/graphql?${parameters.toString()}`, { headers: headersOf(sender, accept) });
}

interface Result {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly GraphqlResponseError[];
}

async function read(sending: Promise<Response>): Promise<GraphqlResponse> {
  const { status, headers, text } = await textOf(sending);
  return { ...(JSON.parse(text) as Result), status, headers, text };
}

/** Returns the first result of a stream that ends by itself. */
async function readEvents(sending: Promise<Response>): Promise<GraphqlResponse> {
  const { status, headers, text } = await textOf(sending);
  const first = /^event: next\ndata: (.*)$/m.exec(text)?.[1];
  if (first === undefined) throw new Error(`no result: ${text}`);
  return { ...(JSON.parse(first) as Result), status, headers, text };
}

async function textOf(sending: Promise<Response>): Promise<Pick<GraphqlResponse, 'status' | 'headers' | 'text'>> {
  const response = await sending;
  return { status: response.status, headers: response.headers, text: await response.text() };
}
