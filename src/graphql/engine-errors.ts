import { GraphQLError } from 'graphql';
import { CATALOGUE, DomainError } from '../errors/index.js';
import { PARSE_FAILED, type ReportBug, refusalExtensions, requestError, VALIDATION_FAILED } from './errors.js';

/** What engines call their own refusals, and what we call them. */
const ENGINE_CODES: Readonly<Record<string, string>> = {
  GRAPHQL_PARSE_FAILED: PARSE_FAILED,
  GRAPHQL_VALIDATION_FAILED: VALIDATION_FAILED,
  BAD_REQUEST: 'MALFORMED_REQUEST',
  BAD_USER_INPUT: 'MALFORMED_REQUEST',
  OPERATION_RESOLUTION_FAILURE: VALIDATION_FAILED,
  PERSISTED_QUERY_NOT_SUPPORTED: 'MALFORMED_REQUEST',
};

/**
 * Gives an error that an engine raised by itself the form that all our errors have, so that clients see the
 * same from either engine. What came from the executor has that form already.
 */
export function engineError(error: GraphQLError, requestId: string, reportBug: ReportBug): GraphQLError {
  if (typeof error.extensions.requestId === 'string') return error;
  const ours = refusalBehind(error);
  const shaped = ours === null
    ? shapedEngineError(error, requestId, reportBug)
    : new GraphQLError(ours.message, { extensions: refusalExtensions(ours, requestId) });
  // What the engine wants said in the status line and the headers.
  if (error.extensions.http !== undefined) Object.assign(shaped.extensions, { http: error.extensions.http });
  return shaped;
}

function refusalBehind({ originalError }: GraphQLError): DomainError | null {
  return originalError instanceof DomainError ? originalError : null;
}

function shapedEngineError(error: GraphQLError, requestId: string, reportBug: ReportBug): GraphQLError {
  const { code } = error.extensions;
  const known = typeof code === 'string' ? ENGINE_CODES[code] : undefined;
  if (known !== undefined) return requestError(error, known, requestId);
  if (error.nodes !== undefined && error.originalError === undefined) return requestError(error, VALIDATION_FAILED, requestId);
  if (hasClientStatus(error)) return requestError(error, 'MALFORMED_REQUEST', requestId);
  reportBug(error.originalError ?? error, requestId);
  return new GraphQLError(CATALOGUE.Internal.reasons.INTERNAL, { extensions: { code: CATALOGUE.Internal.code, reason: 'INTERNAL', requestId } });
}

function hasClientStatus(error: GraphQLError): boolean {
  const { http } = error.extensions;
  if (typeof http !== 'object' || http === null || !('status' in http)) return false;
  return typeof http.status === 'number' && http.status >= 400 && http.status < 500;
}
