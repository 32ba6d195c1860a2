import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { PublicUrl } from '../../../src/http-core/index.js';
import { openApiDocument, ROUTES } from '../../../src/rest/index.js';
import { escapePointer, OpenApiContract } from '../../support/http/openapi-contract.js';

const FILE = fileURLToPath(new URL('../../../schema/openapi.yaml', import.meta.url));
const REDOCLY = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');
const OFFLINE = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
/** They ignore unknown fields (RFC 6749, section 3.2). */
const OPEN_SCHEMAS = ['PasswordGrant', 'RefreshGrant', 'Revocation'];

const document = openApiDocument(new PublicUrl('https://convene.example.org'));
const contract = new OpenApiContract(document);

/** Every object of the document with its JSON pointer. */
function objectsIn(value: unknown, pointer = '#'): (readonly [string, Readonly<Record<string, unknown>>])[] {
  if (typeof value !== 'object' || value === null) return [];
  return [
    [pointer, value as Readonly<Record<string, unknown>>],
    ...Object.entries(value).flatMap(([name, member]) => objectsIn(member, `${pointer}/${escapePointer(name)}`)),
  ];
}

/** Pairs of a schema's pointer and an example of it. */
function examplesIn(): (readonly [string, unknown])[] {
  return objectsIn(document).flatMap(([pointer, object]) => {
    if (Array.isArray(object.examples)) return object.examples.map((example) => [pointer, example] as const);
    const { schema, examples } = object as { schema?: object; examples?: Record<string, { value: unknown }> };
    if (schema === undefined || examples === undefined) return [];
    return Object.values(examples).map(({ value }) => [`${pointer}/schema`, value] as const);
  });
}

describe('the OpenAPI document', () => {
  it('equals schema/openapi.yaml', async () => {
    expect(parse(await readFile(FILE, 'utf8'))).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it('passes the strict lint of Redocly', async () => {
    const lint = promisify(execFile)(process.execPath, [REDOCLY, 'lint', FILE, '--extends', 'recommended-strict'], {
      env: { ...process.env, ...OFFLINE },
    });
    await expect(lint.then(() => null)).resolves.toBeNull();
  });

  it('names the path of the public URL in its server and its examples', () => {
    const text = JSON.stringify(openApiDocument(new PublicUrl('https://example.org/convene/')));
    expect(text).toContain('"servers":[{"url":"https://example.org/convene",');
    expect(text).toContain('"type":"/convene/problems#GROUP_NOT_FOUND"');
    expect(text).toContain('"instance":"/convene/api/auth/register"');
  });

  it('has an operation for each route', () => {
    const operations = new Set(contract.documented.map((name) => name.split(' ')[0]));
    expect([...operations].toSorted()).toEqual(ROUTES.map(({ operationId }) => operationId).toSorted());
  });

  it('has examples that are valid', () => {
    const examples = examplesIn();
    expect(examples.length).toBeGreaterThan(50);
    expect(examples.flatMap(([pointer, example]) => contract.validate(pointer, example))).toEqual([]);
  });

  it('has an example of every body', () => {
    const bodies = objectsIn(document).filter(([pointer]) => /\/content\/[^/]+$/.test(pointer));
    const named = new Set(
      objectsIn(document)
        .filter(([pointer, { examples }]) => pointer.startsWith('#/components/schemas/') && examples !== undefined)
        .map(([pointer]) => pointer),
    );
    const missing = bodies.filter(([, { schema, examples }]) => {
      const { $ref = '' } = schema as { $ref?: string };
      return examples === undefined && !named.has($ref);
    });
    expect(missing.map(([pointer]) => pointer)).toEqual([]);
  });

  it('has closed schemas, except of requests whose unknown fields are ignored', () => {
    const open = objectsIn(document)
      .filter(([, { type, additionalProperties }]) => type === 'object' && additionalProperties !== false)
      .map(([pointer]) => pointer.replace('#/components/schemas/', ''));
    expect(open).toEqual(OPEN_SCHEMAS);
  });
});
