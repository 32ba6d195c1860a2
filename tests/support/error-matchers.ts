import { expect } from '@jest/globals';
import type { Reason } from '../../src/errors/index.js';

/** For `rejects.toEqual`: the refusal that clients see, by its reason. */
export function errorWithReason(reason: Reason): unknown {
  return expect.objectContaining({ reason });
}

/** The same for a faulty input, by the fields that the answer names. */
export function errorWithFields(...fields: readonly string[]): unknown {
  return expect.objectContaining({
    reason: 'INVALID_INPUT',
    fields: fields.map((field) => expect.objectContaining({ field })),
  });
}
