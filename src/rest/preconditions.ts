import { HttpError } from './http-error.js';

/** RFC 9110, section 8.8.3. */
const TAG = String.raw`(W/)?"([\x21\x23-\x7e\x80-\xff]*)"`;
/** RFC 9110, sections 13.1.1 and 5.6.1: one tag at least, separated by commas; empty elements are allowed. */
const TAG_LIST = new RegExp(String.raw`^[\t ,]*${TAG}(?:[\t ]*,[\t ,]*${TAG})*[\t ,]*$`);
const REVISION_TAG = /^[1-9]\d{0,8}$/;
/** Revisions begin with 1, so that this one never holds. */
const NO_REVISION = 0;
/** Each is tried in a transaction of its own. */
const MAX_REVISIONS = 10;

/** The strong entity tag of a resource that has a revision. */
export function revisionTag(revision: number): string {
  return `"${String(revision)}"`;
}

/**
 * Parses If-Match into the revisions that it allows, ascending. Tags are compared strongly: a weak tag, as a GET response
 * has it, allows none.
 *
 * @param ifMatch undefined for a request without the header
 * @returns null for any revision, for a request without the header or with `*`
 * @throws HttpError `MALFORMED_REQUEST` for anything but `*` or a list of entity tags
 */
export function parseIfMatch(ifMatch: string | undefined): readonly number[] | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null;
  if (!TAG_LIST.test(ifMatch)) throw malformed('If-Match must be * or a list of quoted entity tags.');
  const tags = Array.from(ifMatch.matchAll(new RegExp(TAG, 'g')), ([, weak, tag = '']) => ({
    isWeak: weak !== undefined,
    tag,
  }));
  const revisions = new Set(
    tags.flatMap(({ isWeak, tag }) => (!isWeak && REVISION_TAG.test(tag) ? [Number(tag)] : [])),
  );
  if (revisions.size > MAX_REVISIONS) throw malformed(`If-Match must name at most ${String(MAX_REVISIONS)} revisions.`);
  return revisions.size === 0 ? [NO_REVISION] : [...revisions].sort((one, other) => one - other);
}

function malformed(message: string): HttpError {
  return new HttpError('MALFORMED_REQUEST', message);
}
