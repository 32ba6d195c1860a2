import type { GraphqlResponseError } from './test-client.js';

export interface StreamedResult {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly GraphqlResponseError[];
}

/** How a response streams the results of an operation, as a client of the protocol reads it. */
export interface StreamFormat {
  readonly accept: string;
  readonly contentType: string;
  /** The text before the first result. */
  readonly opening: RegExp;
  /** The text after the last result of an operation that has ended. */
  readonly ending: RegExp;
  readonly heartbeat: string;
  /** Matches at the positions between two messages. */
  readonly border: RegExp;
  /** Returns whether the client ends the operation after this message. */
  isLast(message: string): boolean;
  /** Returns null for a message without a result. */
  resultOf(message: string): StreamedResult | null;
}

const PART_HEAD = '\r\nContent-Type: application/json\r\n\r\n';
const PART = new RegExp(`^${PART_HEAD}(.*)\r\n--graphql$`);

export const STREAM_FORMATS = {
  /** GraphQL over SSE, distinct connections mode. */
  events: {
    accept: 'text/event-stream',
    contentType: 'text/event-stream',
    opening: /^retry: \d{4}\n\n$/,
    ending: /event: complete\ndata:\n\n$/,
    heartbeat: ':\n\n',
    border: /(?<=\n\n)/,
    isLast: (message) => message.startsWith('event: complete\n'),
    resultOf: (message) => {
      const json = /^event: next\ndata: (.*)\n\n$/.exec(message)?.[1];
      return json === undefined ? null : (JSON.parse(json) as StreamedResult);
    },
  },
  /** Apollo's multipart HTTP protocol for subscriptions. The border of a part follows it immediately. */
  parts: {
    accept: 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0',
    contentType: 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0',
    opening: /^\r\n--graphql$/,
    ending: /\r\n--graphql--\r\n$/,
    heartbeat: `${PART_HEAD}{}\r\n--graphql`,
    border: /(?<=\r\n--graphql)|(?<=(?:^|\r\n--graphql)--\r\n)/,
    isLast: (message) => message === '--\r\n',
    resultOf: (message) => {
      const json = PART.exec(message)?.[1];
      if (json === undefined || json === '{}') return null;
      const { payload, ...fatal } = JSON.parse(json) as StreamedResult & { readonly payload: StreamedResult | null };
      return payload ?? fatal;
    },
  },
} as const satisfies Record<string, StreamFormat>;

export type StreamFormatName = keyof typeof STREAM_FORMATS;

/** Splits off the messages that are complete, and returns the rest as `rest`. */
export function splitMessages(
  { border }: StreamFormat,
  text: string,
): { readonly messages: readonly string[]; readonly rest: string } {
  const messages = `${text}\0`.split(border);
  return { rest: messages.pop()?.slice(0, -1) ?? '', messages };
}

/** Returns the first result of a stream that has ended. */
export function firstResult(format: StreamFormat, text: string): StreamedResult {
  for (const message of splitMessages(format, text).messages) {
    const result = format.resultOf(message);
    if (result !== null) return result;
  }
  throw new Error(`no result: ${text}`);
}
