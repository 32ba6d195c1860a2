import type { GraphQLFormattedError } from 'graphql';
import { CATALOGUE } from '../../errors/index.js';

export const GRAPHQL_RESPONSE_MEDIA_TYPE = 'application/graphql-response+json';
export const JSON_MEDIA_TYPE = 'application/json';

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly Pick<GraphQLFormattedError, 'extensions'>[] | undefined;
}

/**
 * The status of an answer to a well-formed request (GraphQL over HTTP, section 6.4). What was executed is 200,
 * whatever became of it. What could not be is 400, and 200 in the older media type, whose clients look into the body;
 * but a request that goes beyond a limit is 400 in either, as one that is too large is refused in either.
 */
export function responseStatus({ data, errors = [] }: Answer, mediaType: string): number {
  if (data !== undefined) return 200;
  if (errors.some(({ extensions }) => extensions?.code === CATALOGUE.Internal.code)) return 500;
  return mediaType === GRAPHQL_RESPONSE_MEDIA_TYPE || errors.some(({ extensions }) => extensions?.limit !== undefined)
    ? 400
    : 200;
}
