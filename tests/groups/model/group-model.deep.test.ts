import { HOUR_MS } from '../../../src/async/durations.js';
import { describeModel } from './model-suite.js';

describeModel({ inTurn: 5_000, atOnce: 1_000, size: 'medium', timeoutMs: HOUR_MS });
