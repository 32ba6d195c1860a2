import { isRecord } from '../../errors/index.js';
import { documentIdOf, type TrustedDocument } from './trusted-document.js';

/** The value of `format` in a manifest of Apollo. */
const APOLLO_FORMAT = 'apollo-persisted-query-manifest';
const SHA256_ID = /^(sha256:)?[\da-f]{64}$/;
/** A custom document identifier, or one with a prefix of an application (GraphQL over HTTP, appendix A). */
const OTHER_ID = /^(x-[\w.~-]+:)?[\w.~-]+$/;

/** A manifest that cannot be used. The message states the reason for the operator. */
export class ManifestError extends Error {}

/**
 * Reads a manifest of persisted documents: an object of texts by id (GraphQL Code Generator, Relay), or a persisted
 * query manifest of Apollo.
 *
 * @param origin the file, for the operator
 * @throws ManifestError when the JSON is no manifest, or an id is not the SHA-256 that it seems to be
 */
export function readManifest(json: string, origin: string): TrustedDocument[] {
  return entriesOf(parseJson(json)).map(([id, text]) => {
    const contentId = documentIdOf(text);
    requireValidId(id, contentId);
    return { ids: [...new Set([contentId, id])], text, origin: `${origin}, document ${id}` };
  });
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new ManifestError('is no JSON');
  }
}

function entriesOf(manifest: unknown): [id: string, text: string][] {
  if (!isRecord(manifest)) throw notAManifest();
  if (manifest.format === APOLLO_FORMAT) return apolloEntriesOf(manifest.operations);
  return Object.entries(manifest).map(([id, text]) => toEntry(id, text));
}

function apolloEntriesOf(operations: unknown): [id: string, text: string][] {
  if (!Array.isArray(operations)) throw notAManifest();
  return operations.map((operation: unknown) =>
    isRecord(operation) ? toEntry(operation.id, operation.body) : toEntry(null, null),
  );
}

function toEntry(id: unknown, text: unknown): [id: string, text: string] {
  if (typeof id === 'string' && typeof text === 'string') return [id, text];
  throw notAManifest();
}

function requireValidId(id: string, contentId: string): void {
  if (!SHA256_ID.test(id) && !OTHER_ID.test(id)) throw new ManifestError(`has the id ${id}, which no request can name`);
  if (SHA256_ID.test(id) && !contentId.endsWith(id))
    throw new ManifestError(`has the id ${id}, which is not the SHA-256 of its document`);
}

function notAManifest(): ManifestError {
  return new ManifestError('is no manifest of persisted documents: it must contain texts by id, or that of Apollo');
}
