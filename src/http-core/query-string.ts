import { HttpError } from './http-error.js';

export type QueryParameter = readonly [name: string, value: string];

/**
 * Parses the query of a URL strictly as percent-encoded UTF-8.
 *
 * Reason: parsers interpret an invalid escape differently, so it is rejected.
 *
 * @returns every parameter in order, repeated ones included
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

/** Returns the names that occur more than once. */
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
