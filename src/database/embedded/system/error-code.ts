import { isRecord } from '../../../errors/index.js';

export function errorCodeOf(error: unknown): unknown {
  return isRecord(error) ? error.code : undefined;
}
