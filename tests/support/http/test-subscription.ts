import type { TestService } from '../service/test-service.js';
import { splitMessages, STREAM_FORMATS, type StreamFormat, type StreamFormatName } from './stream-formats.js';
import type { TestClient } from './test-client.js';

/** One change with the fields of `changesDocument`. */
export interface ReceivedChange {
  readonly revision: number;
  readonly cause: string;
  readonly [field: string]: unknown;
}

/** The end of a stream: its last message, or a closed connection. */
type StreamEnd = 'complete' | 'closed';

export interface SubscriptionOptions {
  readonly afterRevision?: number | null;
  readonly method?: 'GET' | 'POST';
  /** Default: events. */
  readonly format?: StreamFormatName;
  /** The selection of each change. */
  readonly fields?: string;
}

/** A subscription to a group over HTTP. */
export interface TestSubscription {
  readonly response: Response;
  /** The raw text received so far. */
  readonly text: () => string;
  readonly changes: ReceivedChange[];
  readonly reasons: unknown[];
  /** Resolves when `count` changes have been received; rejects when the stream ends before. */
  waitForChanges(count: number): Promise<readonly ReceivedChange[]>;
  readonly ended: Promise<StreamEnd>;
  /** Closes the connection without unsubscribing. */
  disconnect(): void;
}

type Token = string | null;

export function changesDocument(fields = 'revision cause'): string {
  return `
    subscription Changes($groupId: UUID!, $afterRevision: Int) {
      groupChanged(groupId: $groupId, afterRevision: $afterRevision) { ${fields} }
    }`;
}

export async function subscribe(
  service: Pick<TestService, 'url'>,
  token: Token,
  groupId: string,
  options: SubscriptionOptions = {},
): Promise<TestSubscription> {
  const leaving = new AbortController();
  const response = await fetch(...requestFor(service.url, token, groupId, options, leaving.signal));
  return read(response, STREAM_FORMATS[options.format ?? 'events'], leaving);
}

function requestFor(
  url: string,
  token: Token,
  groupId: string,
  { afterRevision, method = 'POST', format = 'events', fields }: SubscriptionOptions,
  signal: AbortSignal,
): [string, RequestInit] {
  const query = changesDocument(fields);
  const variables = { groupId, ...(afterRevision === undefined ? {} : { afterRevision }) };
  const { accept } = STREAM_FORMATS[format];
  const headers = { accept, ...(token === null ? {} : { authorization: `Bearer ${token}` }) };
  if (method === 'GET')
    return [
      `${url}/graphql?${new URLSearchParams({ query, variables: JSON.stringify(variables) }).toString()}`,
      { headers, signal },
    ];
  return [
    `${url}/graphql`,
    {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
      signal,
    },
  ];
}

function read(response: Response, format: StreamFormat, leaving: AbortController): TestSubscription {
  const changes: ReceivedChange[] = [];
  const reasons: unknown[] = [];
  const waiters = new Set<() => void>();
  let text = '';
  let isOver = false;
  const ended = readAll(response, format, (message) => {
    text += message;
    note(format, message, changes, reasons);
    for (const wake of waiters) wake();
  }).finally(() => {
    isOver = true;
    for (const wake of waiters) wake();
  });
  return {
    response,
    changes,
    reasons,
    ended,
    text: () => text,
    disconnect: () => {
      leaving.abort();
    },
    async waitForChanges(count) {
      while (changes.length < count) {
        if (isOver) throw new Error(`the stream ended after ${changes.length} changes: ${text}`);
        await new Promise<void>((resolve) => waiters.add(resolve));
      }
      return changes;
    },
  };
}

async function readAll(
  response: Response,
  format: StreamFormat,
  onMessage: (message: string) => void,
): Promise<StreamEnd> {
  let received = '';
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      const { messages, rest } = splitMessages(format, received + Buffer.from(chunk).toString());
      received = rest;
      for (const message of messages) {
        onMessage(message);
        if (format.isLast(message)) return 'complete';
      }
    }
  } catch {
    // A subscriber that disconnects or is disconnected receives no further message.
  }
  return 'closed';
}

function note(format: StreamFormat, message: string, changes: ReceivedChange[], reasons: unknown[]): void {
  const { data, errors = [] } = format.resultOf(message) ?? {};
  if (data) changes.push(data.groupChanged as ReceivedChange);
  reasons.push(...errors.map(({ extensions }) => extensions.reason));
}

/** Changes a group's name: a change without further effects. */
export async function renameGroup(owner: TestClient, groupId: string, name: string): Promise<void> {
  await owner.data('mutation ($input: UpdateGroupInput!) { updateGroup(input: $input) { group { id } } }', {
    input: { groupId, name },
  });
}

export async function respondToGroup(
  member: TestClient & { readonly id: string },
  groupId: string,
  status: string,
): Promise<void> {
  await member.data('mutation ($input: UpdateMemberStatusInput!) { updateMemberStatus(input: $input) { changed } }', {
    input: { groupId, userId: member.id, status },
  });
}
