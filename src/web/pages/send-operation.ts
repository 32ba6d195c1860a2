import type { TypedDocumentString } from '../generated/operations.js';
import { isRecord } from '../is-record.js';

const TIMEOUT_MS = 30_000;
const JSON_TYPE = 'application/json';
const ACCEPTED_TYPES = 'application/graphql-response+json, application/json;q=0.9';

export interface SendOperationOptions<TVariables> {
  readonly variables: TVariables;
  /** Access token; none for a public operation. */
  readonly token?: string;
  /** Returns the label of an input field. It begins the sentence that says what is wrong with the field. */
  readonly labelOf?: ((field: string) => string) | undefined;
}

interface GraphqlError {
  readonly message: string;
  readonly extensions?: {
    readonly code?: string;
    readonly requestId?: string;
    readonly fields?: readonly { readonly field: string; readonly message: string }[];
  };
}

interface GraphqlResponse<TResult> {
  readonly data?: TResult | null;
  readonly errors?: readonly GraphqlError[];
}

/** The service rejected the operation. The message is written for the visitor. */
export class OperationError extends Error {}

/**
 * Runs one GraphQL operation.
 *
 * `credentials: 'omit'`: the secret of the link or the token authorizes the operation, never a cookie.
 *
 * @throws OperationError when the service rejects the operation
 * @throws TypeError when the service cannot be reached, or the response is not one of GraphQL
 */
export async function sendOperation<TResult, TVariables>(
  endpoint: string,
  document: TypedDocumentString<TResult, TVariables>,
  { variables, token, labelOf }: SendOperationOptions<TVariables>,
): Promise<TResult> {
  const response = await fetch(endpoint, {
    method: 'POST',
    credentials: 'omit',
    redirect: 'error',
    headers: {
      'content-type': JSON_TYPE,
      accept: ACCEPTED_TYPES,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query: document.toString(), variables }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return dataOf(document, await response.json(), labelOf);
}

function dataOf<TResult>(
  document: TypedDocumentString<TResult, never>,
  body: unknown,
  labelOf: ((field: string) => string) | undefined,
): TResult {
  if (!isResponseTo(document, body)) throw new TypeError('Response is not a GraphQL response');
  const [error] = body.errors ?? [];
  if (error !== undefined) throw new OperationError(describeError(error, labelOf));
  if (body.data == null) throw new TypeError('GraphQL response has no data');
  return body.data;
}

/** The type of `data` follows from the document, since the service executes it against the schema. */
function isResponseTo<TResult>(
  _document: TypedDocumentString<TResult, never>,
  body: unknown,
): body is GraphqlResponse<TResult> {
  return isRecord(body);
}

function describeError({ message, extensions = {} }: GraphqlError, labelOf = (_field: string) => 'It'): string {
  const { code, requestId, fields = [] } = extensions;
  if (code === 'INTERNAL_SERVER_ERROR' && requestId) return `${message} (Request ${requestId})`;
  // The visitor typed every field but the secret.
  const typed = fields.filter(({ field }) => field !== 'secret');
  return [message, ...typed.map((each) => `${labelOf(each.field)} ${each.message}.`)].join(' ');
}
