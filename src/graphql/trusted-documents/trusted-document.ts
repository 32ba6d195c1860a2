import { createHash } from 'node:crypto';
import type { DocumentNode } from 'graphql';

/** A document that clients may call by an id instead of sending its text. */
export interface TrustedDocument {
  /** The SHA-256 of the text, and the id in the manifest that lists it. */
  readonly ids: readonly string[];
  readonly text: string;
  /** The parsed text, with the file of each definition; absent where the text is not parsed yet. */
  readonly document?: DocumentNode;
  /** Where the operator finds it: a file, and the id in a manifest. */
  readonly origin: string;
}

/** The SHA256 hex document identifier of GraphQL over HTTP, appendix A. */
export function documentIdOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
