export { bodyMediaType, registerBodyParsers } from './body-parsers.js';
export { HTTP_ERRORS, type ErrorDescriptor, type HttpErrorCode } from './error-descriptor.js';
export { createErrorHandler, startErrorResponse, type FormatError } from './error-handler.js';
export { describeError, HttpError, ReportedError } from './http-error.js';
export { PROBLEM_MEDIA_TYPE, toProblemDetails } from './problem-details.js';
export { PublicUrl } from './public-url.js';
export { authorizationOf, toRequestMetadata, type RequestMetadata } from './request-metadata.js';
export { parseQueryString, repeatedNames, requestPath, requireValidTarget, toOriginForm } from './request-target.js';
export { createTrustedProxyCheck, type TrustProxy } from './trusted-proxies.js';
