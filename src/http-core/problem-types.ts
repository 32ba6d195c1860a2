import { CATALOGUE, type ErrorCode } from '../errors/index.js';
import { HTTP_ERRORS, type HttpErrorCode } from './error-descriptor.js';

/** The problems of one code. */
export interface ProblemType {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  /** One sentence by reason. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** The reasons of HTTP itself, which are equal to their codes. */
const HTTP_REASONS: Readonly<Record<Exclude<HttpErrorCode, ErrorCode>, string>> = {
  MALFORMED_REQUEST:
    'The request cannot be read: its URL, its Host or another header is malformed, or its body is missing, ' +
    'is not what its Content-Type says, or is no JSON object.',
  PERSISTED_QUERY_NOT_SUPPORTED: 'The request has the hash of a document instead of its text.',
  DOCUMENT_NOT_TRUSTED: 'The service runs only the GraphQL documents that its operator trusts, and this is none.',
  PERSISTED_DOCUMENT_NOT_FOUND: 'The service knows no GraphQL document of the documentId in the request.',
  METHOD_NOT_ALLOWED: 'The path exists, but does not take this method; Allow names those that it takes.',
  NOT_ACCEPTABLE: 'The service does not answer in any media type that Accept names.',
  REQUEST_TIMEOUT: 'The request did not arrive in time.',
  PAYLOAD_TOO_LARGE: 'The body is larger than the service reads.',
  UNSUPPORTED_MEDIA_TYPE: 'The path does not read bodies of this Content-Type.',
  HEADERS_TOO_LARGE: 'The headers, or the path with its query, are larger than the service reads.',
};

/** Every problem that a `type` can name, in the order of the statuses. */
export const PROBLEM_TYPES: readonly ProblemType[] = Object.entries(HTTP_ERRORS).map(([code, { status, title }]) => ({
  code,
  status,
  title,
  reasons:
    domainReasons(code) ?? Object.fromEntries(Object.entries(HTTP_REASONS).filter(([reason]) => reason === code)),
}));

function domainReasons(code: string): Readonly<Record<string, string>> | undefined {
  return Object.values(CATALOGUE).find((kind) => kind.code === code)?.reasons;
}
