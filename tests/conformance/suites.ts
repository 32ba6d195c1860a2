import type { Suite } from './suite.js';
import { apolloClient } from './suites/apollo-client.js';
import { apolloIntegration } from './suites/apollo-integration.js';
import { browserPage } from './suites/browser-page.js';
import { differential } from './suites/differential.js';
import { documentedCommands } from './suites/documented-commands.js';
import { federation } from './suites/federation.js';
import { graphqlEslint } from './suites/graphql-eslint.js';
import { graphqlHttp } from './suites/graphql-http.js';
import { graphqlRequest } from './suites/graphql-request.js';
import { graphqlSse } from './suites/graphql-sse.js';
import { oauth4webapi } from './suites/oauth4webapi.js';
import { openapiFetch } from './suites/openapi-fetch.js';
import { prism } from './suites/prism.js';
import { redoclyLint } from './suites/redocly-lint.js';
import { redoclyRespect } from './suites/redocly-respect.js';
import { relayCompiler } from './suites/relay-compiler.js';
import { schemaChanges } from './suites/schema-changes.js';
import { schemathesis } from './suites/schemathesis.js';
import { urql } from './suites/urql.js';

/** In the order in which they run. */
export const SUITES: readonly Suite[] = [
  graphqlHttp,
  differential,
  apolloIntegration,
  apolloClient,
  urql,
  graphqlRequest,
  graphqlSse,
  openapiFetch,
  oauth4webapi,
  browserPage,
  documentedCommands,
  redoclyLint,
  redoclyRespect,
  prism,
  schemathesis,
  schemaChanges,
  graphqlEslint,
  relayCompiler,
  federation,
];
