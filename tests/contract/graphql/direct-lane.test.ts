import { describe } from '@jest/globals';
import { graphqlSuite } from './graphql-suite.js';

describe('GraphQL over HTTP by the direct lane', () => {
  graphqlSuite('yoga', 'on');
});
