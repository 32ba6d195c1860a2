import type { ChildProcess } from 'node:child_process';
import type { EventEmitter } from 'node:events';

/** A message between a primary and a worker of node:cluster. */
interface ClusterMessage {
  readonly cmd?: unknown;
  readonly act?: unknown;
  readonly seq?: unknown;
  readonly ack?: unknown;
}

interface ConnectionHandle {
  close(): void;
}

const CLUSTER = 'NODE_CLUSTER';
const NEW_CONNECTION = 'newconn';

/**
 * Makes the primary close the connection that a worker has been given and has not accepted when it is killed, so that
 * the client can open another one. There is at most one for each address that the worker listens on.
 *
 * Reason: Node 24.21 keeps that connection open without an owner, and its client waits in vain. The handover in
 * lib/internal/cluster/round_robin_handle.js waits for an acknowledgement, and lib/internal/child_process.js omits the
 * `disconnect` by which the cluster would forget the worker. Remove when Node does both.
 */
export function closeLostConnections(worker: ChildProcess): void {
  const events: EventEmitter = worker;
  const unaccepted = new Map<unknown, ConnectionHandle>();
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- passes on the arguments that it receives
  const send = worker.send.bind(worker) as (...sent: unknown[]) => boolean;
  worker.send = (...sent: unknown[]) => {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the arguments of Node's own sender
    const [{ cmd, act, seq }, handle] = sent as [ClusterMessage, ConnectionHandle];
    if (cmd === CLUSTER && act === NEW_CONNECTION) unaccepted.set(seq, handle);
    return send(...sent);
  };
  events.on('internalMessage', ({ cmd, ack }: ClusterMessage) => {
    if (cmd === CLUSTER) unaccepted.delete(ack);
  });
  // After the exit and the last message.
  events.once('close', () => {
    if (unaccepted.size === 0) return;
    for (const handle of unaccepted.values()) handle.close();
    events.emit('disconnect');
  });
}
