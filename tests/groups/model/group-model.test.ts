import { describeModel } from './model-suite.js';

describeModel({ inTurn: 200, atOnce: 40, size: 'small', timeoutMs: 600_000 });
