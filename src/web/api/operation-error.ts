import { isRecord } from '../is-record.js';

/** A field of the input that the service rejects, and what is wrong with it: the end of a sentence. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** Reasons for which a new access token helps. */
const TOKEN_REASONS: readonly unknown[] = ['TOKEN_MISSING', 'TOKEN_INVALID', 'TOKEN_EXPIRED', 'TOKEN_REVOKED'];

/** The service rejected the operation. The message is written for the visitor. */
export class OperationError extends Error {
  readonly code: unknown;
  readonly reason: unknown;
  readonly fields: readonly FieldProblem[];

  /** @param error one entry of `errors` of a GraphQL response */
  constructor(error: Readonly<Record<string, unknown>>) {
    const extensions = isRecord(error.extensions) ? error.extensions : {};
    super(messageOf(error, extensions));
    this.code = extensions.code;
    this.reason = extensions.reason;
    this.fields = Array.isArray(extensions.fields) ? extensions.fields.filter(isFieldProblem) : [];
  }

  /** Whether the access token of the operation was not accepted. */
  get isTokenRejected(): boolean {
    return TOKEN_REASONS.includes(this.reason);
  }
}

/** An operator finds an unexpected error in the log by its request id. */
function messageOf(error: Readonly<Record<string, unknown>>, extensions: Readonly<Record<string, unknown>>): string {
  const message = String(error.message);
  const { code, requestId } = extensions;
  return code === 'INTERNAL_SERVER_ERROR' && typeof requestId === 'string'
    ? `${message} (Request ${requestId})`
    : message;
}

function isFieldProblem(value: unknown): value is FieldProblem {
  return isRecord(value) && typeof value.field === 'string' && typeof value.message === 'string';
}
