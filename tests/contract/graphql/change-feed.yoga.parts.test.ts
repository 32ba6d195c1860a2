import { describe } from '@jest/globals';
import { changeFeedSuite } from './change-feed-suite.js';

describe('the change feed beside GraphQL Yoga, as parts', () => {
  changeFeedSuite('yoga', 'parts');
});
