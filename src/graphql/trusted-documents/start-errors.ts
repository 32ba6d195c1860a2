import type { GraphQLError } from 'graphql';
import { OperatorError } from '../../errors/index.js';

/** The name that graphql-js gives to a text without one. */
const DEFAULT_NAME = 'GraphQL request';

/** An error that stops the start, with one line for each problem. */
export function invalidDocuments(problems: readonly string[]): OperatorError {
  return new OperatorError(
    `Convene cannot start with these trusted documents:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
  );
}

/** One problem of a document, with its place: `file:line:column message`. */
export function locate({ message, nodes, locations: [place] = [] }: GraphQLError, origin: string): string {
  // A fragment can be in another file than its operation. The name of a text without a file is that of graphql-js.
  const file = nodes?.[0]?.loc?.source.name ?? DEFAULT_NAME;
  const where = place === undefined ? '' : `:${String(place.line)}:${String(place.column)}`;
  return `${file === DEFAULT_NAME ? origin : file}${where} ${message}`;
}
