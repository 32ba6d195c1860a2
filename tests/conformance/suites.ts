import type { Suite } from './suite.js';
import { apolloIntegration } from './suites/apollo-integration.js';
import { graphqlHttp } from './suites/graphql-http.js';

/** In the order in which they run. */
export const SUITES: readonly Suite[] = [graphqlHttp, apolloIntegration];
