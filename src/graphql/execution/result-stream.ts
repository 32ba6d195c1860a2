import type { ExecutionResult } from 'graphql';
import { toGraphQLError } from '../errors/public-error.js';

/** The answers of one operation, one after the other. `return` ends them at once, also while `next` waits; neither rejects. */
export type ResultStream = AsyncIterableIterator<ExecutionResult, undefined>;

/** What an operation makes of each event. `return` ends the events and tells `leaving`. */
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

const END = { done: true, value: undefined } as const;

/** The results of a subscription in their public form; what breaks it off becomes the last of them. */
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

/** An operation with one answer, as one that has many. */
export async function* singleResult(result: ExecutionResult): AsyncGenerator<ExecutionResult, undefined> {
  yield result;
}
