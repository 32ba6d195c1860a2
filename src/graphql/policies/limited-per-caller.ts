import { Extensions, UseMiddleware, type MiddlewareFn } from 'type-graphql';
import type { AuthenticatedActor } from '../../accounts/index.js';
import { KeyedSemaphore, overloaded } from '../../async/keyed-semaphore.js';
import type { RequestContext } from '../context/request-context.js';

/** A third of the connections, so that floods of mutations by two callers leave a third to all other callers. */
const SHARE_OF_POOL = 3;
const MAX_QUEUE_LENGTH = 200;
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 2;

/**
 * Bounds how many mutations of one user, or of one API key, run concurrently in this process. The others wait, without
 * a database connection, and are rejected with `OVERLOADED` when 200 wait already or after 10 s.
 *
 * Mutations without a valid token are bounded by the limits per address.
 */
export function LimitedPerCaller(): MethodDecorator {
  return (target, name, descriptor) => {
    Extensions({ limitedPerCaller: true })(target, name, descriptor);
    UseMiddleware(runInSlot)(target, name, descriptor);
  };
}

/** @param poolSize database connections of this process */
export function createMutationSlots(poolSize: number): KeyedSemaphore {
  return new KeyedSemaphore({
    concurrency: Math.max(1, Math.floor(poolSize / SHARE_OF_POOL)),
    maxQueueLength: MAX_QUEUE_LENGTH,
    longestWaitMs: MAX_WAIT_MS,
    overloadError: overloaded(RETRY_AFTER_SECONDS),
  });
}

const runInSlot: MiddlewareFn<RequestContext> = ({ context: { actor, mutationSlots } }, next) =>
  actor.kind === 'anonymous' ? next() : mutationSlots.run(slotKey(actor), next);

function slotKey(actor: AuthenticatedActor): string {
  return actor.kind === 'user' ? `user ${actor.userId}` : `key ${actor.apiKeyId}`;
}
