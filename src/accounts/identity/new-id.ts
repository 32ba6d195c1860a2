import { v7 } from 'uuid';

/** A fresh id (UUIDv7, RFC 9562 section 5.7): ids made later sort later, so that indexes grow at their end. */
export function newId(): string {
  return v7();
}
