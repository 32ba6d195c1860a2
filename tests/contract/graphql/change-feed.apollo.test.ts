import { describe } from '@jest/globals';
import { changeFeedSuite } from './change-feed-suite.js';

describe('the change feed beside Apollo Server, as events', () => {
  changeFeedSuite('apollo', 'events');
});
