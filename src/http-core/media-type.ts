import type { IncomingHttpHeaders } from 'node:http';

/** Returns the media type of the body, in lower case and without parameters; undefined without Content-Type. */
export function bodyMediaType({ 'content-type': type }: Pick<IncomingHttpHeaders, 'content-type'>): string | undefined {
  return type?.split(';', 1)[0]?.trim().toLowerCase();
}
