import type { Finding } from './suite.js';

/** Tests of a suite that fail because the service follows a specification instead. */
export interface ExpectedFailures {
  /** Cites the specification. */
  readonly reason: string;
  /** Matches the message of each of these failures. One that fails differently is not expected. */
  readonly message: RegExp;
  readonly titles: readonly string[];
}

interface Separated {
  readonly failed: readonly Finding[];
  readonly expected: readonly Finding[];
}

/**
 * Separates the failures of a suite, whose `reason` is their message, into those that are expected and all others.
 *
 * An expected failure that did not occur is a failure too, so that the list stays true.
 */
export function separateFailures(failures: readonly Finding[], lists: readonly ExpectedFailures[]): Separated {
  const listed = lists.flatMap(({ titles, ...list }) => titles.map((title) => ({ title, ...list })));
  const explained = failures.map((failure) => ({
    failure,
    by: listed.find(({ title, message }) => title === failure.title && message.test(failure.reason)),
  }));
  const occurred = new Set(failures.map(({ title }) => title));
  return {
    failed: [
      ...explained.flatMap(({ failure, by }) => (by === undefined ? [failure] : [])),
      ...listed.filter(({ title }) => !occurred.has(title)).map(({ title }) => notOccurred(title)),
    ],
    expected: explained.flatMap(({ failure: { title }, by }) =>
      by === undefined ? [] : [{ title, reason: by.reason }],
    ),
  };
}

function notOccurred(title: string): Finding {
  return { title, reason: 'is listed as an expected failure, but passes or does not exist: remove it from the list' };
}
