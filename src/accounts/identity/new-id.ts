import { v7 } from 'uuid';

/**
 * Creates an id (UUIDv7, RFC 9562, section 5.7). Ids ascend with time, so new rows are appended to the end of an index.
 */
export function newId(): string {
  return v7();
}
