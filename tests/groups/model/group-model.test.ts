import { describeModel } from './model-suite.js';

describeModel({ inTurn: 100, atOnce: 30, size: 'small', timeoutMs: 600_000 });
