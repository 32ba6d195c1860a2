export { type RestOptions, restPlugin } from './adapter.js';
export { readBodies, stayConnected } from './body-parsers.js';
export { HttpError } from './http-error.js';
export { httpRefusal, INTERNAL, problemOf, statusOf } from './problem.js';
export { PROBLEM_KINDS, type ProblemKind } from './problem-kinds.js';
export { retryHeaders } from './retry-headers.js';
export { ROUTES } from './routes.js';
export { PROBLEM_TYPE, problemSender, refusalOf } from './send-problem.js';
export { REVOKE_PATH, TOKEN_PATH } from './token-routes.js';
