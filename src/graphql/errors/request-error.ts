import { GraphQLError, Kind, print, type ASTNode, type DocumentNode } from 'graphql';
import { errorPosition } from './error-position.js';

/** The codes of Apollo Server for requests that GraphQL itself rejects. Clients rely on them. */
export const PARSE_FAILED = 'GRAPHQL_PARSE_FAILED';
export const VALIDATION_FAILED = 'GRAPHQL_VALIDATION_FAILED';

/** The kinds of literal values. The messages of errors about them can repeat the value. */
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

const NAMED_TYPE = /(?:type|Enum) "([\w[\]!]+)"/;
/** The part of a lexer or parser message that repeats the source, which can be a value or a part of one. */
const QUOTED_SOURCE = /(?<=(?:found|Unexpected) (?:Name|String|BlockString|Int|Float)) .*|: ".*/s;

/**
 * Converts an error of the document to its public form.
 *
 * The messages of graphql-js and of the scalars can repeat a value, which may be a password. Errors about a value get
 * a message of their own.
 */
export function toRequestError(error: GraphQLError, code: string, requestId: string): GraphQLError {
  return new GraphQLError(messageWithoutValues(error), {
    ...errorPosition(error),
    extensions: { code, reason: 'INVALID_INPUT', ...exceededLimitOf(error), requestId },
  });
}

/** Creates the error of an operation name that selects no operation of the document. */
export function noSuchOperation(document: DocumentNode, requestId: string): GraphQLError {
  const count = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length;
  const message =
    count > 1
      ? 'operationName must name one of the operations of the document.'
      : 'The document has no such operation.';
  return new GraphQLError(message, { extensions: { code: VALIDATION_FAILED, reason: 'INVALID_INPUT', requestId } });
}

/** The limit that the operation exceeds, if that is the error. */
function exceededLimitOf({ extensions: { limit } }: GraphQLError): object {
  return limit === undefined ? {} : { limit };
}

function messageWithoutValues(error: GraphQLError): string {
  const [node] = error.nodes ?? [];
  if (node === undefined) return error.message.replace(QUOTED_SOURCE, '.');
  if (!VALUE_KINDS.has(node.kind)) return error.message;
  if (node.kind === Kind.OBJECT_FIELD || node.kind === Kind.OBJECT)
    return `The fields of an input object do not fit its type${fieldName(node)}.`;
  const type = NAMED_TYPE.exec(error.message)?.[1];
  return type === undefined ? 'A value does not fit its type.' : `A value does not fit its type ${type}.`;
}

function fieldName(node: ASTNode): string {
  return node.kind === Kind.OBJECT_FIELD ? `: ${print(node.name)}` : '';
}
