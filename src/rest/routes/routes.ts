import { AUTH_ROUTES } from './auth-routes.js';
import { GROUP_ROUTES } from './group-routes.js';
import type { RestRoute } from './route.js';

/** The seven documented paths (specification, section 4), and token revocation. */
export const ROUTES: readonly RestRoute[] = [...AUTH_ROUTES, ...GROUP_ROUTES];
