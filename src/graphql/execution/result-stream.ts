import type { ExecutionResult } from 'graphql';
import { toGraphQLError } from '../errors/public-error.js';

/**
 * The results of one operation, in order. Neither `next` nor `return` rejects. `return` ends the stream immediately,
 * also while `next` waits.
 */
export type ResultStream = AsyncIterableIterator<ExecutionResult, undefined>;

const END = { done: true, value: undefined } as const;

/** Executes the operation for each event. `return` aborts `leaving` and ends the events. */
export function mapEvents(
  events: AsyncIterable<unknown>,
  execute: (event: unknown) => Promise<ExecutionResult>,
  leaving: AbortController,
): AsyncIterator<ExecutionResult, undefined> {
  const source = events[Symbol.asyncIterator]();
  return {
    async next() {
      const next: IteratorResult<unknown, unknown> = await source.next();
      return next.done === true ? END : { done: false, value: await execute(next.value) };
    },
    async return() {
      leaving.abort();
      await source.return?.();
      return END;
    },
  };
}

/**
 * Converts the results of a subscription to their public form. An error that ends the source becomes the last result.
 *
 * @param present gives one result its public form
 */
export function maskResultStream(
  source: AsyncIterator<ExecutionResult, void>,
  present: (result: ExecutionResult) => ExecutionResult,
): ResultStream {
  let hasEnded = false;
  return {
    async next() {
      if (hasEnded) return END;
      try {
        const { done, value } = await source.next();
        return done === true ? END : { done: false, value: present(value) };
      } catch (error) {
        hasEnded = true;
        return { done: false, value: present({ errors: [toGraphQLError(error)] }) };
      }
    },
    async return() {
      hasEnded = true;
      await source.return?.();
      return END;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** A stream of one result, for a query or a mutation. */
export async function* singleResult(result: ExecutionResult): AsyncGenerator<ExecutionResult, undefined> {
  yield result;
}
