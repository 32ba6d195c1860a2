import type { GraphQLFormattedError } from 'graphql';
import { CATALOGUE } from '../../errors/index.js';

export const GRAPHQL_RESPONSE_MEDIA_TYPE = 'application/graphql-response+json';
export const JSON_MEDIA_TYPE = 'application/json';

interface Result {
  readonly data?: unknown;
  readonly errors?: readonly Pick<GraphQLFormattedError, 'extensions'>[] | undefined;
}

/**
 * The HTTP status of the result of a well-formed request (GraphQL over HTTP, section 6.4).
 *
 * An executed operation is 200, also with errors. An operation that was not executed is 400; in the older media type
 * `application/json` it is 200, because its clients read the body. An exceeded limit is 400 in both media types.
 */
export function responseStatus({ data, errors = [] }: Result, mediaType: string): number {
  if (data !== undefined) return 200;
  if (errors.some(({ extensions }) => extensions?.code === CATALOGUE.Internal.code)) return 500;
  return mediaType === GRAPHQL_RESPONSE_MEDIA_TYPE || errors.some(({ extensions }) => extensions?.limit !== undefined)
    ? 400
    : 200;
}
