import { createHash } from 'node:crypto';
import { Kind, print, stripIgnoredCharacters } from 'graphql';

/**
 * Prints the document of one operation in its shortest form, with its fragments by name.
 *
 * The order of fields stays, because mutations run in that order.
 */
export function printDocument({ definitions }) {
  const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const operations = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  fragments.sort((one, other) => (one.name.value < other.name.value ? -1 : 1));
  return stripIgnoredCharacters(print({ kind: Kind.DOCUMENT, definitions: [...operations, ...fragments] }));
}

/** The SHA256 hex document identifier of GraphQL over HTTP, appendix A. */
export function documentId(text) {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
