import type { GraphQLSchema } from 'graphql';
import type { AuthenticatedActor } from '../../accounts/index.js';
import { KeyedSemaphore } from '../../async/keyed-semaphore.js';
import type { RequestContext } from '../context/request-context.js';

/** A third of the connections, so that two callers with floods of mutations leave some to all others. */
const SHARE_OF_POOL = 3;
const MOST_WAITING = 200;
const LONGEST_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 2;

/**
 * Bounds how many mutations of one user, or of one API key, run concurrently in this process. The others wait, without a database
 * connection, and are refused with `OVERLOADED` when 200 wait already or after 10 s.
 *
 * Mutations without a valid token are bounded by the limits per address.
 *
 * @param poolSize database connections of this process
 */
export function limitConcurrentMutations(schema: GraphQLSchema, poolSize: number): GraphQLSchema {
  const turns = new KeyedSemaphore({
    concurrency: Math.max(1, Math.floor(poolSize / SHARE_OF_POOL)),
    maxQueueLength: MOST_WAITING,
    longestWaitMs: LONGEST_WAIT_MS,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { resolve } = field;
    if (resolve === undefined) throw new Error(`Mutation ${field.name} has no resolver`);
    field.resolve = (source, args, context: RequestContext, info) => {
      const { actor } = context;
      const run = async (): Promise<unknown> => resolve(source, args, context, info);
      return actor.kind === 'anonymous' ? run() : turns.run(keyOf(actor), run);
    };
  }
  return schema;
}

function keyOf(actor: AuthenticatedActor): string {
  return actor.kind === 'user' ? `user ${actor.userId}` : `key ${actor.apiKeyId}`;
}
