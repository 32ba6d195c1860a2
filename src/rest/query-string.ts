import { HttpError } from './http-error.js';

export type QueryParameter = readonly [name: string, value: string];

/**
 * Parses the query of a URL, strictly, as percent-encoded UTF-8.
 *
 * Reason: parsers differ in what they make of a wrong escape. Rejecting it leaves nothing to differ in.
 *
 * @returns every parameter, in order, repeated ones too
 * @throws HttpError `MALFORMED_REQUEST`
 */
export function parseQueryString(url: string): readonly QueryParameter[] {
  const begin = url.indexOf('?');
  return begin === -1
    ? []
    : url
        .slice(begin + 1)
        .split('&')
        .filter((piece) => piece !== '')
        .map(parseParameter);
}

/** The names that are given more than once. */
export function repeatedNames(parameters: readonly QueryParameter[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [name] of parameters) (seen.has(name) ? repeated : seen).add(name);
  return repeated;
}

function parseParameter(piece: string): QueryParameter {
  const separator = piece.indexOf('=');
  if (separator === -1) return [decode(piece), ''];
  return [decode(piece.slice(0, separator)), decode(piece.slice(separator + 1))];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new HttpError('MALFORMED_REQUEST', 'The query of the URL must be percent-encoded UTF-8.');
  }
}
