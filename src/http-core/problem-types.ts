import { CATALOGUE, type ErrorCode, type ReasonTexts } from '../errors/index.js';
import { HTTP_ERRORS, type HttpErrorCode } from './error-descriptor.js';

/** The problems of one code. */
export interface ProblemType {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly reasons: Readonly<Record<string, ReasonTexts>>;
}

/** The reasons of HTTP itself, which are equal to their codes. */
const HTTP_REASONS: Readonly<Record<Exclude<HttpErrorCode, ErrorCode>, ReasonTexts>> = {
  MALFORMED_REQUEST: {
    message:
      'The request cannot be read: its URL, its Host or another header is malformed, or its body is missing, ' +
      'is not what its Content-Type says, or is no JSON object.',
    remedy: 'Correct the request. The detail says which part is malformed.',
  },
  PERSISTED_QUERY_NOT_SUPPORTED: {
    message: 'The request has the hash of a document instead of its text.',
    remedy: 'Send the text of the document.',
  },
  DOCUMENT_NOT_TRUSTED: {
    message: 'The service runs only the GraphQL documents that its operator trusts, and this is none.',
    remedy: 'Send the documentId of a trusted document, or ask the operator to trust this one.',
  },
  PERSISTED_DOCUMENT_NOT_FOUND: {
    message: 'The service knows no GraphQL document of the documentId in the request.',
    remedy: 'Check the documentId, and ask the operator whether the document is one of the trusted ones.',
  },
  METHOD_NOT_ALLOWED: {
    message: 'The path exists, but does not take this method; Allow names those that it takes.',
    remedy: 'Use a method that Allow names.',
  },
  NOT_ACCEPTABLE: {
    message: 'The service does not answer in any media type that Accept names.',
    remedy: 'Accept application/json, or the media type that the detail names.',
  },
  REQUEST_TIMEOUT: {
    message: 'The request did not arrive in time.',
    remedy: 'Repeat the request on a new connection.',
  },
  PAYLOAD_TOO_LARGE: { message: 'The body is larger than the service reads.', remedy: 'Send less in one request.' },
  UNSUPPORTED_MEDIA_TYPE: {
    message: 'The path does not read bodies of this Content-Type.',
    remedy: 'Send the body in a media type that the detail names, in UTF-8 and uncompressed.',
  },
  HEADERS_TOO_LARGE: {
    message: 'The headers, or the path with its query, are larger than the service reads.',
    remedy: 'Send fewer or shorter headers, and a shorter path and query.',
  },
};

/** Every problem that a `type` can name, in the order of the statuses. */
export const PROBLEM_TYPES: readonly ProblemType[] = Object.entries(HTTP_ERRORS).map(([code, { status, title }]) => ({
  code,
  status,
  title,
  reasons:
    domainReasons(code) ?? Object.fromEntries(Object.entries(HTTP_REASONS).filter(([reason]) => reason === code)),
}));

function domainReasons(code: string): Readonly<Record<string, ReasonTexts>> | undefined {
  return Object.values(CATALOGUE).find((kind) => kind.code === code)?.reasons;
}
