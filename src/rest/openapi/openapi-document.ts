import type { PublicUrl } from '../../http-core/index.js';
import { TOKEN_PATH } from '../routes/auth-routes.js';
import { pathTemplate, type RestRoute } from '../routes/route.js';
import { ROUTES } from '../routes/routes.js';
import { sharedErrorResponses } from './error-responses.js';
import { componentSchemas, type JsonObject } from './json-schema.js';
import { toOperationObject } from './operation-object.js';
import { RESPONSE_HEADERS } from './response-headers.js';

/** Increases with the contract, which changes only by additions. */
const VERSION = '1.0.0';

const DESCRIPTION = `The REST paths of Convene, a self-hosted account and group service.

- Bodies are JSON in \`snake_case\` and UTF-8, with enum values in lower case.
- HEAD works wherever GET does. OPTIONS returns \`Allow\`. A trailing slash is the same resource.
- An unknown path is 404 \`ROUTE_NOT_FOUND\`. Another method of a path is 405 with \`Allow\`.
- A field or a query parameter that a path does not know is 422, except where a request body allows more fields.
- Errors are problem details (RFC 9457) with a \`code\` and a \`reason\` for programs.
- \`type\`, \`instance\`, \`Location\` and \`Link\` are paths of the host. They begin with the path of the server URL.
- Changes only add paths, fields, codes and reasons.`;

const TAGS = [
  { name: 'auth', description: 'Registration, tokens and the profile of the caller.' },
  { name: 'groups', description: 'Members of a group, their responses, and its compatibility score.' },
];

/**
 * Describes the REST API as an OpenAPI 3.1 document, from the route table.
 *
 * @param publicUrl the server of the document, and the base of the paths in its examples
 */
export function openApiDocument(publicUrl: PublicUrl): JsonObject {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Convene',
      version: VERSION,
      summary: 'Accounts, groups and responses.',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl.href, description: 'The public URL of the service.' }],
    tags: TAGS,
    paths: pathsOf(ROUTES, publicUrl),
    components: {
      schemas: componentSchemas(),
      responses: sharedErrorResponses(ROUTES, publicUrl),
      headers: RESPONSE_HEADERS,
      securitySchemes: securitySchemes(publicUrl),
    },
  };
}

/** Both send a bearer token. The first also states how a client obtains it. */
function securitySchemes(publicUrl: PublicUrl): JsonObject {
  const url = publicUrl.urlOf(TOKEN_PATH);
  return {
    login: {
      type: 'oauth2',
      description:
        'The access token of a user, from a username (or a verified email address) and a password. It is valid for ' +
        '`expires_in` seconds, and then renewed by the refresh token. There are no clients to register: any ' +
        '`client_id` is ignored. There are no scopes.',
      flows: { password: { tokenUrl: url, refreshUrl: url, scopes: {} } },
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description:
        'An access token of a user, or an API key. An administrator creates API keys for programs, each with scopes: ' +
        '`groups:read`, `responses:write` and `scores:write`. A key has no profile.',
    },
  };
}

function pathsOf(routes: readonly RestRoute[], publicUrl: PublicUrl): JsonObject {
  const byPath = Map.groupBy(routes, pathTemplate);
  return Object.fromEntries(
    [...byPath].map(([path, operations]) => [
      path,
      Object.fromEntries(operations.map((route) => [route.method.toLowerCase(), toOperationObject(route, publicUrl)])),
    ]),
  );
}
