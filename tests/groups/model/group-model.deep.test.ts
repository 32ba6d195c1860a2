import { describeModel } from './model-suite.js';

describeModel({ inTurn: 5_000, atOnce: 1_000, size: 'medium', timeoutMs: 3_600_000 });
