import { describe } from '@jest/globals';
import { graphqlSuite } from './graphql-suite.js';

describe('GraphQL over HTTP by Apollo Server', () => {
  graphqlSuite('apollo');
});
