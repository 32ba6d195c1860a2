export { type RestOptions, restPlugin } from './adapter.js';
export { readBodies } from './body-parsers.js';
export { HttpError, httpErrorOf } from './http-error.js';
export { INTERNAL, type Refusal, refusalOfError, statusOf } from './problem.js';
export { ROUTES } from './routes.js';
