import type { IncomingHttpHeaders } from 'node:http';
import { isRecord } from '../../errors/index.js';
import { bodyMediaType, HttpError, parseQueryString, repeatedNames } from '../../http-core/index.js';
import type { GraphqlRequest } from '../engines/engine.js';
import { JSON_MEDIA_TYPE } from '../engines/response-status.js';
import type { TrustedDocuments } from '../trusted-documents/trusted-documents.js';

type Parameters = Readonly<Record<string, unknown>>;

/** The parts of an HTTP request that are parsed. */
interface HttpRequest {
  readonly method: string;
  /** In origin form: path and query. */
  readonly url: string;
  readonly headers: Pick<IncomingHttpHeaders, 'content-type'>;
  /** The parsed JSON; not an object when there is no body. */
  readonly body: unknown;
}

/**
 * Parses a GraphQL-over-HTTP request (sections 5 and 6 of its specification). No other code parses it, so the
 * operation that is checked is the one that runs.
 *
 * Ignores other parameters, which clients add for their own servers. An empty text counts as absent: editors send it
 * for what was left out.
 *
 * @param trusted the documents that `documentId` can name (appendix A)
 * @throws HttpError `UNSUPPORTED_MEDIA_TYPE`, `MALFORMED_REQUEST`, `PERSISTED_DOCUMENT_NOT_FOUND`, or
 *   `PERSISTED_QUERY_NOT_SUPPORTED` for the hash of an automatic persisted query without its document
 */
export function parseGraphqlRequest(request: HttpRequest, trusted: TrustedDocuments): GraphqlRequest {
  requireJson(request.headers);
  const parameters = request.method === 'POST' ? requireBody(request.body) : urlParametersOf(request.url);
  const text = presentOr(null, parameters.query);
  const documentId = presentOr(null, parameters.documentId);
  const operationName = presentOr(null, parameters.operationName);
  const variables = presentOr({}, parameters.variables);
  const extensions = presentOr({}, parameters.extensions);
  if (!isRecord(extensions)) throw malformed('extensions must be an object.');
  const { persistedQuery, ...otherExtensions } = extensions;
  if (text === null && documentId === null && persistedQuery !== undefined) throw persistedQueryNotSupported();
  const query = documentOf(documentId, text, trusted);
  if (operationName !== null && typeof operationName !== 'string') throw malformed('operationName must be text.');
  if (!isRecord(variables)) throw malformed('variables must be an object.');
  return { query, operationName, variables, extensions: otherExtensions };
}

function documentOf(documentId: unknown, text: unknown, trusted: TrustedDocuments): string {
  if (documentId === null && text === null) throw malformed('query must be the text of a document.');
  if (text !== null && typeof text !== 'string') throw malformed('query must be the text of a document.');
  if (documentId === null && text !== null) return text;
  if (typeof documentId !== 'string') throw malformed('documentId must be text.');
  return trusted.resolve(documentId, text);
}

/** Returns the default for a parameter that is absent, null or an empty text. */
function presentOr(defaultValue: unknown, value: unknown): unknown {
  return value === undefined || value === null || value === '' ? defaultValue : value;
}

/** By this message and code, clients recognize that they must send the text of the document. */
function persistedQueryNotSupported(): HttpError {
  return new HttpError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported');
}

/** Accepts only JSON, because other sites can make a browser send forms and plain text without a CORS preflight. */
function requireJson(headers: HttpRequest['headers']): void {
  const type = bodyMediaType(headers);
  if (type !== undefined && type !== JSON_MEDIA_TYPE)
    throw new HttpError('UNSUPPORTED_MEDIA_TYPE', `This path reads ${JSON_MEDIA_TYPE}.`);
}

function requireBody(body: unknown): Parameters {
  if (!isRecord(body)) throw malformed('The request has no body.');
  return body;
}

function urlParametersOf(url: string): Parameters {
  const parameters = parseQueryString(url);
  if (repeatedNames(parameters).size > 0) throw malformed('A parameter of the URL must be given once.');
  const { variables, extensions, ...others }: Readonly<Record<string, string>> = Object.fromEntries(parameters);
  return {
    ...others,
    variables: parseObject('variables', variables),
    extensions: parseObject('extensions', extensions),
  };
}

function parseObject(name: string, text: string | undefined): Parameters | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Rejected below.
  }
  throw malformed(`${name} must be an object in JSON.`);
}

function malformed(message: string): HttpError {
  return new HttpError('MALFORMED_REQUEST', message);
}
