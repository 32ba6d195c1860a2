export { restPlugin } from './adapter/rest-plugin.js';
export { ROUTES } from './routes/routes.js';
export { REVOKE_PATH, TOKEN_PATH } from './routes/auth-routes.js';
