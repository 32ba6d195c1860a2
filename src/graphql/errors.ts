import {
  GraphQLError,
  Kind,
  print,
  type ASTNode,
  type GraphQLErrorOptions,
  type Source,
  type SourceLocation,
} from 'graphql';
import {
  CATALOGUE,
  DomainError,
  InvalidInputError,
  RateLimitedError,
  type FieldError,
  type RateLimitPolicy,
  type ReportUnexpectedError,
} from '../errors/index.js';

export type { ReportUnexpectedError } from '../errors/index.js';

/** The codes of requests that GraphQL itself refuses, as Apollo Server introduced them and clients know them. */
export const PARSE_FAILED = 'GRAPHQL_PARSE_FAILED';
export const VALIDATION_FAILED = 'GRAPHQL_VALIDATION_FAILED';

/** What stands in `extensions` of every error. */
export interface ErrorExtensions {
  readonly code: string;
  readonly reason: string;
  readonly requestId: string;
  readonly fields?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  /** The limit that was reached. */
  readonly policy?: RateLimitPolicy;
  readonly [key: string]: unknown;
}

/** The kinds of value that a literal in a document can have; an error about one may repeat it in its message. */
const VALUE_KINDS: ReadonlySet<string> = new Set([
  Kind.INT,
  Kind.FLOAT,
  Kind.STRING,
  Kind.BOOLEAN,
  Kind.NULL,
  Kind.ENUM,
  Kind.LIST,
  Kind.OBJECT,
  Kind.OBJECT_FIELD,
]);

/**
 * An error met while an operation ran, as clients may see it: a refusal with its reason, or a masked bug.
 *
 * `originalError` is the DomainError, for callers in process; null for an unexpected error. It is never serialized.
 *
 * @param source the text of the operation's document, for those executors that keep lines and columns only
 */
export function toPublicError(
  error: GraphQLError,
  requestId: string,
  reportUnexpectedError: ReportUnexpectedError,
  source?: Source,
): GraphQLError {
  const refusal = unwrapDomainError(error) ?? argumentRefusal(error);
  if (refusal === null) reportUnexpectedError(error.originalError ?? error, requestId);
  return new GraphQLError(refusal?.message ?? CATALOGUE.Internal.reasons.INTERNAL, {
    ...placeOf(error, source),
    originalError: refusal,
    extensions: refusal === null ? bugExtensions(requestId) : domainErrorExtensions(refusal, requestId),
  });
}

/** What was thrown, as GraphQL errors carry it. */
export function toGraphQLError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  return new GraphQLError('', { originalError: error instanceof Error ? error : new Error(String(error)) });
}

/** Whether an error has its public form already. */
export function isPublicError({ extensions }: GraphQLError): boolean {
  return typeof extensions.requestId === 'string';
}

/** The domain's own refusal, if it is one. */
export function unwrapDomainError(error: GraphQLError): DomainError | null {
  for (let cause: unknown = error; cause instanceof GraphQLError;) {
    cause = cause.originalError;
    if (cause instanceof DomainError) return cause;
  }
  return null;
}

/** As the executors begin it when a variable is null, for an argument that may be absent but not null. */
const ARGUMENT = /^Argument "(\w+)" of (?:non-null|required) type/;

function argumentRefusal(error: GraphQLError): InvalidInputError | null {
  // Within a selection set, graphql-js wraps its own error once more.
  const cause = error.originalError ?? error;
  const name = cause instanceof GraphQLError ? ARGUMENT.exec(cause.message)?.[1] : undefined;
  return name === undefined ? null : new InvalidInputError([{ field: name, message: 'must not be null' }]);
}

function bugExtensions(requestId: string): ErrorExtensions {
  return { code: CATALOGUE.Internal.code, reason: 'INTERNAL', requestId };
}

export function domainErrorExtensions(error: DomainError, requestId: string): ErrorExtensions {
  return {
    code: error.code,
    reason: error.reason,
    ...(error.fields === undefined ? {} : { fields: error.fields }),
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
    ...(error instanceof RateLimitedError && error.policy !== undefined ? { policy: error.policy } : {}),
    requestId,
  };
}

/**
 * An error of the document itself. Where it concerns a value, the message is ours: those of graphql-js and
 * of the scalars repeat the value, which may be a password.
 */
export function toRequestError(error: GraphQLError, code: string, requestId: string): GraphQLError {
  return new GraphQLError(messageWithoutValues(error), {
    ...placeOf(error),
    extensions: { code, reason: 'INVALID_INPUT', ...limitOf(error), requestId },
  });
}

/** The limit that the request goes beyond, if that is what is wrong with it. */
function limitOf({ extensions: { limit } }: GraphQLError): object {
  return limit === undefined ? {} : { limit };
}

const NAMED_TYPE = /(?:type|Enum) "([\w[\]!]+)"/;
/** What the lexer and the parser found, where they repeat it: it may be a value, or a part of one. */
const FOUND = /(?<=(?:found|Unexpected) (?:Name|String|BlockString|Int|Float)) .*|: ".*/s;

function messageWithoutValues(error: GraphQLError): string {
  const [node] = error.nodes ?? [];
  if (node === undefined) return error.message.replace(FOUND, '.');
  if (!VALUE_KINDS.has(node.kind)) return error.message;
  if (node.kind === Kind.OBJECT_FIELD || node.kind === Kind.OBJECT)
    return `The fields of an input object do not fit its type${fieldName(node)}.`;
  const type = NAMED_TYPE.exec(error.message)?.[1];
  return type === undefined ? 'A value does not fit its type.' : `A value does not fit its type ${type}.`;
}

function fieldName(node: ASTNode): string {
  return node.kind === Kind.OBJECT_FIELD ? `: ${print(node.name)}` : '';
}

function placeOf({ nodes, source, positions, path, locations }: GraphQLError, text?: Source): GraphQLErrorOptions {
  const place = { nodes: nodes ?? null, path: path ?? null };
  if (positions !== undefined || locations === undefined || text === undefined)
    return { ...place, source: source ?? null, positions: positions ?? null };
  return { ...place, source: text, positions: locations.map((location) => offsetOf(text, location)) };
}

/** The inverse of graphql-js' `getLocation`. */
function offsetOf({ body }: Source, { line, column }: SourceLocation): number {
  const lineStarts = [
    0,
    ...Array.from(body.matchAll(/\r\n|[\n\r]/g), ({ index, 0: lineBreak }) => index + lineBreak.length),
  ];
  return (lineStarts[line - 1] ?? 0) + column - 1;
}
