import type { TypedDocumentString } from '../generated/operations.js';

/** Returns the members of a request that name the operation. */
export function referenceTo(document: TypedDocumentString<unknown, never>): { readonly query: string } {
  return { query: document.toString() };
}
