import type { TypedDocumentString } from '../generated/operations.js';
import { isRecord } from '../is-record.js';
import { OperationError } from './operation-error.js';
import { referenceTo, textOf } from './reference-to.js';

const TIMEOUT_MS = 30_000;
const JSON_TYPE = 'application/json';
const ACCEPTED_TYPES = 'application/graphql-response+json, application/json;q=0.9';

export interface SendOperationOptions<TVariables> {
  readonly variables: TVariables;
  /** Access token; none for a public operation. */
  readonly token?: string;
  /** Whether the request outlives the page. */
  readonly keepalive?: boolean;
}

/** Taken when the module is loaded: the page of GraphiQL replaces the global function by one that adds its token. */
const send = fetch;

/**
 * Runs one GraphQL operation.
 *
 * `credentials: 'omit'`: the secret of a link or the token authorizes the operation, never a cookie.
 *
 * @throws OperationError when the service rejects the operation
 * @throws TypeError when the service cannot be reached, or the response is not one of GraphQL
 */
export async function sendOperation<TResult, TVariables>(
  endpoint: string,
  document: TypedDocumentString<TResult, TVariables>,
  options: SendOperationOptions<TVariables>,
): Promise<TResult> {
  try {
    return dataOf(document, await post(endpoint, referenceTo(document), options));
  } catch (error) {
    if (!(error instanceof OperationError) || error.code !== 'PERSISTED_DOCUMENT_NOT_FOUND') throw error;
    return dataOf(document, await post(endpoint, textOf(document), options));
  }
}

async function post(
  endpoint: string,
  reference: object,
  { variables, token, keepalive = false }: SendOperationOptions<unknown>,
): Promise<unknown> {
  const response = await send(endpoint, {
    method: 'POST',
    keepalive,
    credentials: 'omit',
    redirect: 'error',
    headers: {
      'content-type': JSON_TYPE,
      accept: ACCEPTED_TYPES,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ ...reference, variables }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return response.json();
}

/**
 * Returns the data of a response to the document.
 *
 * @throws OperationError when the response has errors
 * @throws TypeError when it is not a GraphQL response
 */
export function dataOf<TResult>(document: TypedDocumentString<TResult, never>, body: unknown): TResult {
  if (!isRecord(body)) throw new TypeError('Response is not a GraphQL response');
  const errors: readonly unknown[] = Array.isArray(body.errors) ? body.errors : [];
  const [error] = errors;
  if (isRecord(error)) throw new OperationError(error);
  if (!isDataOf(document, body.data)) throw new TypeError('GraphQL response has no data');
  return body.data;
}

/** The type of `data` follows from the document, since the service executes it against the schema. */
function isDataOf<TResult>(_document: TypedDocumentString<TResult, never>, data: unknown): data is TResult {
  return isRecord(data);
}
