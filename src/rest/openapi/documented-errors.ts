import type { Reason } from '../../errors/index.js';
import {
  asProblem,
  PROBLEM_TYPES,
  toProblemDetails,
  type ErrorDescriptor,
  type FormattedError,
  type PublicUrl,
} from '../../http-core/index.js';
import { formatOAuthError } from '../adapter/oauth-errors.js';
import { EXAMPLE_IDS } from '../routes/component-schemas.js';
import { BODY_MEDIA_TYPES, type RestRoute } from '../routes/route.js';

/** An error of a path, as the service formats it. */
export interface DocumentedError extends FormattedError {
  readonly descriptor: ErrorDescriptor;
}

const REQUEST_ID = '5b2f4c1e-8d0a-4f3b-9c7e-1a2b3c4d5e6f';
const FIELDS = [{ field: 'other', message: 'is not a query parameter of this path' }];
/** Raised before the path of the request is known. */
const UNPARSED = ['REQUEST_TIMEOUT', 'HEADERS_TOO_LARGE'];
const OF_EVERY_PATH = [
  'MALFORMED_REQUEST',
  'NOT_ACCEPTABLE',
  'INVALID_INPUT',
  'INTERNAL',
  'OVERLOADED',
  'DATABASE_UNAVAILABLE',
];
const OF_TOKENS = ['TOKEN_MISSING', 'TOKEN_INVALID', 'TOKEN_EXPIRED', 'TOKEN_REVOKED'] as const satisfies Reason[];
const OF_BODIES = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

/** The reasons that depend on no single path. */
export const SHARED_REASONS: ReadonlySet<string> = new Set([...UNPARSED, ...OF_EVERY_PATH, ...OF_TOKENS, ...OF_BODIES]);

const DESCRIPTORS: ReadonlyMap<string, ErrorDescriptor> = new Map(
  PROBLEM_TYPES.flatMap(({ code, reasons }) =>
    Object.entries(reasons).map(([reason, { message }]) => [
      reason,
      { code, reason, message, fields: reason === 'INVALID_INPUT' ? FIELDS : undefined },
    ]),
  ),
);

/** Returns the errors of a path, each in every form in which the path responds with it. */
export function documentedErrors(route: RestRoute, publicUrl: PublicUrl): readonly DocumentedError[] {
  const reasons = [
    ...OF_EVERY_PATH,
    ...(route.needsToken ? OF_TOKENS : []),
    ...(route.body === 'none' ? [] : OF_BODIES),
    // A parameter that is no percent-encoded UTF-8.
    ...(route.path.includes(':') ? ['ROUTE_NOT_FOUND'] : []),
    ...route.reasons,
  ];
  const path = examplePath(route);
  return [
    ...UNPARSED.map((reason) => {
      const descriptor = descriptorOf(reason);
      return { descriptor, ...asProblem(problemOf(descriptor, null, publicUrl), descriptor, { headers: {} }) };
    }),
    ...reasons.flatMap((reason) => {
      const descriptor = descriptorOf(reason);
      const problem = problemOf(descriptor, path, publicUrl);
      return contentTypes(route).map((type) => ({
        descriptor,
        ...(route.oauthErrors ? formatOAuthError : asProblem)(problem, descriptor, {
          headers: { 'content-type': type },
        }),
      }));
    }),
  ];
}

function examplePath({ path }: RestRoute): string {
  return path.replace(':group_id', EXAMPLE_IDS.group_id).replace(':user_id', EXAMPLE_IDS.user_id);
}

/** Only OAuth errors depend on the type of the request. */
function contentTypes({ oauthErrors, body }: RestRoute): readonly string[] {
  return oauthErrors ? BODY_MEDIA_TYPES[body] : ['application/json'];
}

function problemOf(descriptor: ErrorDescriptor, path: string | null, publicUrl: PublicUrl) {
  return toProblemDetails(descriptor, { path, requestId: REQUEST_ID, publicUrl });
}

function descriptorOf(reason: string): ErrorDescriptor {
  const descriptor = DESCRIPTORS.get(reason);
  if (descriptor === undefined) throw new Error(`Reason ${reason} is not in the catalogue`);
  return descriptor;
}
