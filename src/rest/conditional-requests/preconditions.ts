import { HttpError } from '../../http-core/index.js';

/** RFC 9110, section 8.8.3. */
const TAG = String.raw`(W/)?"([\x21\x23-\x7e\x80-\xff]*)"`;
/** RFC 9110, sections 13.1.1 and 5.6.1: at least one tag, separated by commas. Empty elements are allowed. */
export const TAG_LIST = new RegExp(String.raw`^[\t ,]*${TAG}(?:[\t ]*,[\t ,]*${TAG})*[\t ,]*$`);
const REVISION_TAG = /^[1-9]\d{0,8}$/;
/** Never matches, because revisions begin with 1. */
const NO_REVISION = 0;
/** Each revision costs one transaction. */
const MAX_REVISIONS = 10;

/** Returns the strong entity tag of a resource with a revision. */
export function revisionTag(revision: number): string {
  return `"${String(revision)}"`;
}

/**
 * Parses If-Match into the allowed revisions, ascending. Tags are compared strongly: a weak tag, as in the response to
 * GET, allows no revision.
 *
 * @param ifMatch undefined for a request without the header
 * @returns null when any revision is allowed: without the header, or with `*`
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
