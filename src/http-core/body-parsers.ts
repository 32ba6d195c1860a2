import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { isRecord } from '../errors/index.js';
import { HttpError } from './http-error.js';

/** Keeps no state between two bodies, because each is decoded as a whole. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)"?/i;

/**
 * Registers the parsers of JSON, merge patches and forms. The handler of each path rejects the media types that it does
 * not accept.
 *
 * The parsers fail with HttpError `MALFORMED_REQUEST` or `UNSUPPORTED_MEDIA_TYPE` before the handler runs.
 */
export function registerBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/(json|merge-patch\+json)\s*(;|$)/i,
    { parseAs: 'buffer' },
    (request, body, done) => {
      attempt(done, () => parseJsonBody(body, request.headers));
    },
  );
  app.addContentTypeParser(
    /^application\/x-www-form-urlencoded\s*(;|$)/i,
    { parseAs: 'buffer' },
    (request, body, done) => {
      attempt(done, () => parseForm(decode(body, request.headers)));
    },
  );
}

/** Returns the media type of the body, in lower case and without parameters; undefined without Content-Type. */
export function bodyMediaType({ 'content-type': type }: Pick<IncomingHttpHeaders, 'content-type'>): string | undefined {
  return type?.split(';', 1)[0]?.trim().toLowerCase();
}

function attempt(done: (error: Error | null, body?: unknown) => void, parse: () => unknown): void {
  try {
    done(null, parse());
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
  }
}

/**
 * Parses a body as a JSON object.
 *
 * @throws HttpError `MALFORMED_REQUEST` or `UNSUPPORTED_MEDIA_TYPE`
 */
export function parseJsonBody(body: string | Buffer, headers: IncomingHttpHeaders): Readonly<Record<string, unknown>> {
  return parseJson(decode(body, headers));
}

function decode(body: string | Buffer, headers: IncomingHttpHeaders): string {
  const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = headers;
  if (coding.toLowerCase() !== 'identity')
    throw new HttpError('UNSUPPORTED_MEDIA_TYPE', 'The body must not be compressed.');
  const charset = CHARSET.exec(type)?.[1]?.toLowerCase() ?? 'utf-8';
  if (charset !== 'utf-8' && charset !== 'utf8')
    throw new HttpError('UNSUPPORTED_MEDIA_TYPE', 'The body must be in UTF-8.');
  try {
    return UTF_8.decode(typeof body === 'string' ? Buffer.from(body) : body);
  } catch {
    throw new HttpError('MALFORMED_REQUEST', 'The body is not valid UTF-8.');
  }
}

/** The last of repeated keys counts, as with `JSON.parse`. `__proto__` becomes an ordinary member. */
function parseJson(text: string): Readonly<Record<string, unknown>> {
  const value = parseJsonText(text);
  if (!isRecord(value)) {
    throw new HttpError('MALFORMED_REQUEST', 'The body must be a JSON object.');
  }
  return value;
}

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError(
      'MALFORMED_REQUEST',
      text.trim() === '' ? 'The body is empty; it must be a JSON object.' : 'The body is not valid JSON.',
    );
  }
}

/** RFC 6749, section 3.2: parameters must not be repeated. */
function parseForm(text: string): Readonly<Record<string, string>> {
  const form = new URLSearchParams(text);
  const names = [...form.keys()];
  if (new Set(names).size < names.length) throw new HttpError('MALFORMED_REQUEST', 'The form repeats a parameter.');
  if (names.length === 0) throw new HttpError('MALFORMED_REQUEST', 'The body is empty.');
  return Object.fromEntries(form);
}
