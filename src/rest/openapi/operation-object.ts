import type { z } from 'zod';
import type { PublicUrl } from '../../http-core/index.js';
import { EXAMPLE_IDS, UUID } from '../routes/component-schemas.js';
import { IF_NONE_MATCH } from '../routes/request-headers.js';
import { BODY_MEDIA_TYPES, pathTemplate, type RestRoute } from '../routes/route.js';
import { errorResponses } from './error-responses.js';
import { toJsonSchema, type JsonObject } from './json-schema.js';
import { notModifiedHeaders, successHeaders } from './response-headers.js';

const PATH_PARAMETERS: Readonly<Record<string, z.ZodType>> = {
  group_id: UUID.meta({ description: 'The id of the group, in any case.', examples: [EXAMPLE_IDS.group_id] }),
  user_id: UUID.meta({ description: 'The id of the member, in any case.', examples: [EXAMPLE_IDS.user_id] }),
};

/** Describes one path as an Operation Object (OpenAPI 3.1, section 4.8.10). */
export function toOperationObject(route: RestRoute, publicUrl: PublicUrl): JsonObject {
  const { operationId, summary, description, needsToken } = route;
  return {
    operationId,
    tags: [tagOf(route)],
    summary,
    description,
    security: needsToken ? [{ login: [] }, { bearer: [] }] : [],
    ...parametersOf(route),
    ...requestBodyOf(route),
    responses: { ...successResponses(route), ...errorResponses(route, publicUrl) },
  };
}

/** The part of the path after `/api`. */
function tagOf({ path }: RestRoute): string {
  return path.split('/')[2] ?? '';
}

function parametersOf(route: RestRoute): JsonObject {
  const names = [...pathTemplate(route).matchAll(/{(\w+)}/g)].map(([, name = '']) => name);
  const headers = { ...route.headers, ...(route.isRevalidated ? { 'If-None-Match': IF_NONE_MATCH } : {}) };
  const parameters = [
    ...names.map((name) => toParameter('path', name, PATH_PARAMETERS[name])),
    ...Object.entries(route.query).map(([name, schema]) => toParameter('query', name, schema)),
    ...Object.entries(headers).map(([name, schema]) => toParameter('header', name, schema)),
  ];
  return parameters.length === 0 ? {} : { parameters };
}

function toParameter(place: 'path' | 'query' | 'header', name: string, schema: z.ZodType | undefined): JsonObject {
  if (schema === undefined) throw new Error(`Parameter ${name} has no schema`);
  const { description, ...rest } = toJsonSchema(schema);
  return { name, in: place, required: place === 'path', description, schema: rest };
}

function requestBodyOf({ body, requestSchema }: RestRoute): JsonObject {
  if (requestSchema === null) return {};
  const mediaType = { schema: toJsonSchema(requestSchema) };
  const content = Object.fromEntries(BODY_MEDIA_TYPES[body].map((type) => [type, mediaType]));
  return { requestBody: { required: true, content } };
}

function successResponses(route: RestRoute): JsonObject {
  const success = {
    description: route.responseSchema.description ?? '',
    headers: successHeaders(route),
    content: { 'application/json': { schema: toJsonSchema(route.responseSchema) } },
  };
  const notModified = { description: 'The stored response is current.', headers: notModifiedHeaders() };
  return { [route.success]: success, ...(route.isRevalidated ? { 304: notModified } : {}) };
}
