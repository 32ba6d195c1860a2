import type { FieldError } from '../errors/index.js';
import { httpErrorOf, type ErrorDescriptor } from './error-descriptor.js';
import type { PublicUrl } from './public-url.js';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json; charset=utf-8';

/** RFC 9457, section 3. `errors` name fields as the REST API does. */
export interface ProblemDetails {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  readonly reason: string;
  readonly errors?: readonly FieldError[];
  readonly request_id: string;
}

export interface ProblemContext {
  /** The path of the request, without its query and the base path; null when it is unknown. */
  readonly path: string | null;
  readonly requestId: string;
  readonly publicUrl: PublicUrl;
}

/** Characters that a path cannot contain (RFC 3986, section 3.3), and a percent sign that begins no escape. */
const NOT_IN_PATH = /%(?![\da-f]{2})|[^\w.~!$&'()*+,;=:@%/-]/gi;

/** The page `/problems` explains each reason. */
export function toProblemDetails(
  descriptor: ErrorDescriptor,
  { path, requestId, publicUrl }: ProblemContext,
): ProblemDetails {
  const { code, reason, message, fields } = descriptor;
  const { status, title } = httpErrorOf(descriptor);
  return {
    type: publicUrl.pathOf(`/problems#${reason}`),
    title,
    status,
    detail: message,
    instance: path === null ? '' : toUriReference(publicUrl.pathOf(path)),
    code,
    reason,
    ...(fields === undefined ? {} : { errors: fields }),
    request_id: requestId,
  };
}

/**
 * Returns a path as a URI reference, escaped where the request did not escape it. Empty for a target without a path.
 *
 * After `//`, a client would read the host of another URI (RFC 3986, section 4.2).
 */
function toUriReference(path: string): string {
  if (!path.startsWith('/')) return '';
  const escaped = path.replaceAll(NOT_IN_PATH, encodeURIComponent);
  return escaped.startsWith('//') ? `/.${escaped}` : escaped;
}
