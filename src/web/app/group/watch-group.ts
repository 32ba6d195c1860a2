import { createClient } from 'graphql-sse';
import { OperationError } from '../../api/operation-error.js';
import { referenceTo, textOf } from '../../api/reference-to.js';
import { dataOf } from '../../api/send-operation.js';
import { GroupChangedDocument, type GroupChangedSubscription } from '../../generated/operations.js';
import { isRecord } from '../../is-record.js';
import type { Client } from '../../session/client.js';
import { LoggedOutError } from '../../session/session.js';

export type Change = GroupChangedSubscription['groupChanged'];

export interface GroupWatcher {
  /** Called with each change, in the order of the revisions. */
  readonly onChange: (change: Change) => void;
  /** Called with whether changes arrive at the moment. */
  readonly onLive: (isLive: boolean) => void;
  /** Called when the group is no longer the visitor's to see. */
  readonly onGone: () => void;
}

const MIN_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

/**
 * Subscribes to a group by server-sent events (the GraphQL over SSE protocol).
 *
 * A stream ends with its access token, with a restart of the service and with the network. It is then started again
 * after the last revision that was received, so that no change is missed.
 *
 * @param afterRevision the last revision that is known already
 * @returns a function that ends the subscription
 */
export function watchGroup(client: Client, groupId: string, afterRevision: number, watcher: GroupWatcher): () => void {
  const stopped = new AbortController();
  const reference = referenceTo(GroupChangedDocument);
  void follow({ client, groupId, watcher, revision: afterRevision, stopped: stopped.signal, reference });
  return () => {
    stopped.abort();
  };
}

interface Subscription {
  readonly client: Client;
  readonly groupId: string;
  readonly watcher: GroupWatcher;
  readonly stopped: AbortSignal;
  /** The last revision that was received. */
  revision: number;
  /** Names the operation by its text once a process did not know the id. */
  reference: ReturnType<typeof referenceTo>;
}

async function follow(subscription: Subscription): Promise<void> {
  const { watcher, stopped } = subscription;
  const isStopped = () => stopped.aborted;
  let delayMs = MIN_DELAY_MS;
  while (!isStopped()) {
    const { revision } = subscription;
    const mayContinue = await receive(subscription).catch((error: unknown) => continuesAfter(error, watcher));
    if (isStopped()) return;
    watcher.onLive(false);
    if (!mayContinue) return;
    delayMs = subscription.revision > revision ? MIN_DELAY_MS : Math.min(delayMs * 2, MAX_DELAY_MS);
    await pause(delayMs, stopped);
  }
}

/** Receives the changes of one stream until it ends. */
async function receive(subscription: Subscription): Promise<true> {
  const { client, stopped } = subscription;
  const token = await client.session.accessToken();
  const ends = AbortSignal.any([stopped, networkReturns()]);
  await readStream(subscription, token, ends).catch((error: unknown) => {
    if (httpStatusOf(error) === 404) subscription.reference = textOf(GroupChangedDocument);
    if (isTokenRejected(error)) client.session.dropAccessToken(token);
    throw error;
  });
  return true;
}

function readStream(subscription: Subscription, token: string, ends: AbortSignal): Promise<void> {
  const { client, groupId, watcher, revision, reference } = subscription;
  const sse = createClient({ url: client.endpoint, headers: { authorization: `Bearer ${token}` }, retryAttempts: 0 });
  return new Promise((resolve, reject) => {
    const unsubscribe = sse.subscribe<GroupChangedSubscription>(
      { ...reference, variables: { groupId, afterRevision: revision } },
      {
        next: (result) => {
          const { groupChanged } = dataOf(GroupChangedDocument, result);
          subscription.revision = groupChanged.revision;
          watcher.onChange(groupChanged);
        },
        error: reject,
        complete: resolve,
      },
      {
        connected: () => {
          watcher.onLive(true);
        },
      },
    );
    ends.addEventListener('abort', unsubscribe, { once: true });
  });
}

/** Returns whether the subscription goes on after an error. */
function continuesAfter(error: unknown, { onGone }: GroupWatcher): boolean {
  if (error instanceof LoggedOutError) return false;
  const isGone = error instanceof OperationError && error.code === 'NOT_FOUND';
  if (isGone) onGone();
  return !isGone;
}

/** The service answers 401 before a stream begins, and with an error in the stream when the token ends later. */
function isTokenRejected(error: unknown): boolean {
  return (error instanceof OperationError && error.isTokenRejected) || httpStatusOf(error) === 401;
}

function httpStatusOf(error: unknown): unknown {
  return isRecord(error) && isRecord(error.response) ? error.response.status : undefined;
}

/** A connection from before the network was lost may be dead without notice. */
function networkReturns(): AbortSignal {
  const returned = new AbortController();
  addEventListener('online', () => returned.abort(), { once: true });
  return returned.signal;
}

function pause(delayMs: number, stopped: AbortSignal): Promise<void> {
  const ends = AbortSignal.any([stopped, networkReturns(), AbortSignal.timeout(delayMs)]);
  return new Promise((resolve) => {
    ends.addEventListener('abort', () => resolve(), { once: true });
  });
}
