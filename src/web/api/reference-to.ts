import type { TypedDocumentString } from '../generated/operations.js';

interface DocumentReference {
  /** Empty beside an id, because the types of graphql-sse require it. The service treats an empty text as absent. */
  readonly query: string;
  readonly documentId?: unknown;
}

/** Returns the members of a request that name the operation by its id. */
export function referenceTo(document: TypedDocumentString<unknown, never>): DocumentReference {
  return { query: '', documentId: document.__meta__?.documentId };
}

/** Returns the members of a request for a process that does not know the id, because it runs another version. */
export function textOf(document: TypedDocumentString<unknown, never>): DocumentReference {
  return { query: document.toString() };
}
