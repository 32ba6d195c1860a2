import { expect } from '@jest/globals';
import type { Reason } from '../../src/errors/index.js';

/** Matches a domain error by its reason, for `rejects.toEqual`. */
export function errorWithReason(reason: Reason): unknown {
  return expect.objectContaining({ reason });
}

/** Matches the error of an invalid input by its fields. */
export function errorWithFields(...fields: readonly string[]): unknown {
  return expect.objectContaining({
    reason: 'INVALID_INPUT',
    fields: fields.map((field) => expect.objectContaining({ field })),
  });
}
