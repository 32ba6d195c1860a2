export { sendWithEntityTag } from './conditional-requests/conditional-get.js';
export { restPlugin } from './adapter/rest-plugin.js';
export { openApiDocument } from './openapi/openapi-document.js';
export { pathTemplate } from './routes/route.js';
export { ROUTES } from './routes/routes.js';
export { REVOKE_PATH, TOKEN_PATH } from './routes/auth-routes.js';
