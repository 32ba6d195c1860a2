import { HOUR_MS } from '../../../src/async/durations.js';
import { describeModel } from './model-suite.js';

describeModel({ inTurn: 2_500, atOnce: 1_000, size: 'medium', timeoutMs: HOUR_MS });
