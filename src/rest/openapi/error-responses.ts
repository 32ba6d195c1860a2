import { PROBLEM_TYPES, type PublicUrl } from '../../http-core/index.js';
import type { RestRoute } from '../routes/route.js';
import { documentedErrors, SHARED_REASONS, type DocumentedError } from './documented-errors.js';
import { toJsonSchema, type JsonObject } from './json-schema.js';
import { OAUTH_PROBLEM, PROBLEM } from './problem-schemas.js';
import { errorHeaders } from './response-headers.js';

/** Returns the error responses of a path by status. Those that do not depend on the path are references. */
export function errorResponses(route: RestRoute, publicUrl: PublicUrl): JsonObject {
  return Object.fromEntries(
    errorsByStatus(route, publicUrl).map(([status, errors]) => [
      status,
      isShared(errors) ? { $ref: `#/components/responses/${sharedName(status, errors)}` } : toResponse(status, errors),
    ]),
  );
}

/** Returns the responses that `errorResponses` refers to. */
export function sharedErrorResponses(routes: readonly RestRoute[], publicUrl: PublicUrl): JsonObject {
  const shared = routes
    .flatMap((route) => errorsByStatus(route, publicUrl))
    .filter(([, errors]) => isShared(errors))
    .map(([status, errors]) => [sharedName(status, errors), toResponse(status, errors)] as const);
  return Object.fromEntries(shared);
}

type StatusErrors = readonly [status: number, errors: readonly DocumentedError[]];

function errorsByStatus(route: RestRoute, publicUrl: PublicUrl): readonly StatusErrors[] {
  const byStatus = Map.groupBy(documentedErrors(route, publicUrl), ({ status }) => status);
  return [...byStatus].toSorted(([one], [other]) => one - other);
}

function isShared(errors: readonly DocumentedError[]): boolean {
  return errors.every(({ descriptor }) => SHARED_REASONS.has(descriptor.reason));
}

function sharedName(status: number, errors: readonly DocumentedError[]): string {
  const words = titleOf(status)
    .split(' ')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${errors.some(isOAuth) ? 'OAuth' : ''}${words.join('')}`;
}

function toResponse(status: number, errors: readonly DocumentedError[]): JsonObject {
  const byMediaType = [...Map.groupBy(errors, ({ mediaType }) => mediaType.split(';', 1)[0] ?? '')];
  return {
    description: describe(status, errors),
    headers: errorHeaders(status),
    content: Object.fromEntries(
      // Plain JSON first: some validators also apply `application/problem+json` to it.
      byMediaType
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([type, formatted]) => [type, toMediaType(status, formatted)]),
    ),
  };
}

/** The title of the status, and the reasons with their sentences. */
function describe(status: number, errors: readonly DocumentedError[]): string {
  const reasons = new Map(errors.map(({ descriptor: { reason, message } }) => [reason, message]));
  return `${titleOf(status)}.\n\n${[...reasons].map(([reason, message]) => `- \`${reason}\`: ${message}`).join('\n')}`;
}

function toMediaType(status: number, errors: readonly DocumentedError[]): JsonObject {
  const codes = [...new Set(errors.map(({ descriptor }) => descriptor.code))];
  const reasons = errors.map(({ descriptor }) => descriptor.reason);
  return {
    schema: {
      allOf: [
        toJsonSchema(errors.some(isOAuth) ? OAUTH_PROBLEM : PROBLEM),
        { properties: { status: { const: status }, code: { enum: codes }, reason: { enum: reasons } } },
      ],
    },
    examples: Object.fromEntries(errors.map(({ descriptor, body }) => [descriptor.reason, { value: body }])),
  };
}

function isOAuth({ body }: DocumentedError): boolean {
  return 'error_description' in body;
}

function titleOf(status: number): string {
  return PROBLEM_TYPES.find((type) => type.status === status)?.title ?? '';
}
