import type { GraphQLError, GraphQLErrorOptions, Source, SourceLocation } from 'graphql';

/**
 * The path and the position in the document of an error, to be copied to another one.
 *
 * @param text the document, for errors that have lines and columns but no offsets
 */
export function errorPosition(
  { nodes, source, positions, path, locations }: GraphQLError,
  text?: Source,
): GraphQLErrorOptions {
  const place = { nodes: nodes ?? null, path: path ?? null };
  if (positions !== undefined || locations === undefined || text === undefined)
    return { ...place, source: source ?? null, positions: positions ?? null };
  return { ...place, source: text, positions: locations.map((location) => offsetOf(text, location)) };
}

/** The inverse of graphql-js' `getLocation`. */
function offsetOf({ body }: Source, { line, column }: SourceLocation): number {
  const lineStarts = [
    0,
    ...Array.from(body.matchAll(/\r\n|[\n\r]/g), ({ index, 0: lineBreak }) => index + lineBreak.length),
  ];
  return (lineStarts[line - 1] ?? 0) + column - 1;
}
