export { bodyMediaType, parseJsonBody, registerBodyParsers } from './body-parsers.js';
export { isUncompressed, MIN_COMPRESSED_BYTES, negotiateOnce } from './content-negotiation.js';
export type { ErrorDescriptor } from './error-descriptor.js';
export {
  asProblem,
  createErrorHandler,
  startErrorResponse,
  type FormatError,
  type FormattedError,
} from './error-handler.js';
export { exampleProblem, graphqlStatus } from './example-errors.js';
export { describeError, HttpError, ReportedError } from './http-error.js';
export { PROBLEM_MEDIA_TYPE, toProblemDetails, type ProblemDetails } from './problem-details.js';
export { PROBLEM_TYPES, type ProblemType } from './problem-types.js';
export { PublicUrl } from './public-url.js';
export {
  authorizationOf,
  headerValues,
  idempotencyKeyOf,
  keepAddress,
  newRequestId,
  resolveClientInfo,
  type AddressedRequest,
  type RequestMetadata,
} from './request-metadata.js';
export {
  isValidTarget,
  parseQueryString,
  repeatedNames,
  requestPath,
  requireValidTarget,
  toOriginForm,
} from './request-target.js';
export { createTrustedProxyCheck, type TrustProxy } from './trusted-proxies.js';
