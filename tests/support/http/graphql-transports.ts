import { firstResult, STREAM_FORMATS, type StreamedResult, type StreamFormat } from './stream-formats.js';
import type { GraphqlResponse } from './test-client.js';

/** A caller with its token. */
interface Sender {
  readonly token: string | null;
}

/** A document by its text or by its id. */
interface Sent {
  readonly query?: string;
  readonly documentId?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

const { events, parts } = STREAM_FORMATS;

/** Every way to send an operation to the service, by name. */
export const TRANSPORTS = {
  POST: (url, sender, sent) => read(post(url, sender, sent, 'application/json')),
  'POST, as graphql-response+json': (url, sender, sent) =>
    read(post(url, sender, sent, 'application/graphql-response+json')),
  GET: (url, sender, sent) => read(get(url, sender, sent, 'application/json')),
  'events by POST': (url, sender, sent) => readStream(events, post(url, sender, sent, events.accept)),
  'events by GET': (url, sender, sent) => readStream(events, get(url, sender, sent, events.accept)),
  'parts by POST': (url, sender, sent) => readStream(parts, post(url, sender, sent, parts.accept)),
  'parts by GET': (url, sender, sent) => readStream(parts, get(url, sender, sent, parts.accept)),
} as const satisfies Record<string, Transport>;

export type TransportName = keyof typeof TRANSPORTS;
type Transport = (url: string, sender: Sender, sent: Sent) => Promise<GraphqlResponse>;

export const TRANSPORT_NAMES = Object.keys(TRANSPORTS) as TransportName[];

/** The transports that stream, and so accept subscriptions. */
export const STREAM_TRANSPORTS: readonly TransportName[] = [
  'events by POST',
  'events by GET',
  'parts by POST',
  'parts by GET',
];

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

function get(url: string, sender: Sender, { variables = {}, ...sent }: Sent, accept: string): Promise<Response> {
  const parameters = new URLSearchParams({ ...sent, variables: JSON.stringify(variables) });
  return fetch(`${url}/graphql?${parameters.toString()}`, { headers: headersOf(sender, accept) });
}

async function read(sending: Promise<Response>): Promise<GraphqlResponse> {
  const { status, headers, text } = await textOf(sending);
  return { ...(JSON.parse(text) as StreamedResult), status, headers, text };
}

/** Returns the first result of a stream that ends by itself. */
async function readStream(format: StreamFormat, sending: Promise<Response>): Promise<GraphqlResponse> {
  const { status, headers, text } = await textOf(sending);
  return { ...firstResult(format, text), status, headers, text };
}

async function textOf(sending: Promise<Response>): Promise<Pick<GraphqlResponse, 'status' | 'headers' | 'text'>> {
  const response = await sending;
  return { status: response.status, headers: response.headers, text: await response.text() };
}
