import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse, print } from 'graphql';
import { OperatorError } from '../../../src/errors/index.js';
import { loadTrustedDocuments } from '../../../src/graphql/trusted-documents/load-trusted-documents.js';
import type { TrustedDocument } from '../../../src/graphql/trusted-documents/trusted-document.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene documents é '));
});
afterEach(() => rm(folder, { recursive: true }));

async function load(files: Readonly<Record<string, string>>): Promise<TrustedDocument[]> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return loadTrustedDocuments(folder);
}

async function problemOf(files: Readonly<Record<string, string>>): Promise<string> {
  try {
    await load(files);
  } catch (error) {
    if (error instanceof OperatorError) return error.message.replaceAll(`${folder}/`, '');
    throw error;
  }
  throw new Error('The documents were loaded');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const ME = 'query Me { me { id } }';
const ME_ID = `sha256:${sha256(ME)}`;

describe('loadTrustedDocuments with files of GraphQL', () => {
  it('identifies a file by the SHA-256 of its content, whatever operations it contains', async () => {
    const two = '# Two.\nquery A { ...F }\n\nquery B { me { id } }\nfragment F on Query { me { id } }\n';

    const documents = await load({ 'two.graphql': two, 'more/deep/me.gql': ME, 'README.md': 'ignored' });

    expect(documents.map(({ ids, text }) => [ids, text])).toEqual([
      [[ME_ID], ME],
      [[`sha256:${sha256(two)}`], two],
    ]);
  });

  it('appends the fragments of other files, in the order of their names', async () => {
    const fragments = 'fragment Z on Member { status }\nfragment A on Group { id members { nodes { ...Z } } }';
    const operation = 'query G($id: UUID!) { group(id: $id) { ...A } }\n';

    const [document, ...others] = await load({
      'g.graphql': operation,
      'fragments.graphql': `${fragments} fragment Unused on User { id }`,
    });

    expect(others).toEqual([]);
    expect(document?.text).toBe(
      `${operation}\nfragment A on Group { id members { nodes { ...Z } } }\nfragment Z on Member { status }`,
    );
    expect(document?.ids).toEqual([`sha256:${sha256(document?.text ?? '')}`]);
    expect(print(document!.document!)).toBe(print(parse(document!.text)));
  });

  it('prefers the fragment of the same file', async () => {
    const own = 'query Me { me { ...F } } fragment F on Viewer { id }';

    const documents = await load({ 'a.graphql': own, 'b.graphql': 'fragment F on Viewer { username }' });

    expect(documents.map(({ text }) => text)).toEqual([own]);
  });

  it('reads each file of a mounted configuration once', async () => {
    await mkdir(join(folder, '..2026'));
    await writeFile(join(folder, '..2026', 'me.graphql'), ME);
    await symlink('..2026', join(folder, '..data'));
    await symlink(join('..data', 'me.graphql'), join(folder, 'me.graphql'));

    expect((await load({})).map(({ ids }) => ids)).toEqual([[ME_ID]]);
  });

  it('names the file and the place of each syntax error', async () => {
    expect(
      await problemOf({ 'a.graphql': 'query {\n  me {', 'deep/b.graphql': '{ me { id } } }', 'c.graphql': ME }),
    ).toBe(
      [
        'Convene cannot start with these trusted documents:',
        '  - a.graphql:2:7 Syntax Error: Expected Name, found <EOF>.',
        '  - deep/b.graphql:1:15 Syntax Error: Unexpected "}".',
      ].join('\n'),
    );
  });

  it('rejects a folder without documents, and one that is missing', async () => {
    expect(await problemOf({ 'fragments.graphql': 'fragment F on Query { me { id } }', 'a.txt': ME })).toBe(
      'TRUSTED_DOCUMENTS names a folder that contains no document.',
    );
    expect(() => loadTrustedDocuments(join(folder, 'a.txt'))).toThrow(
      new OperatorError('TRUSTED_DOCUMENTS must name a folder that can be read.'),
    );
    expect(() => loadTrustedDocuments(join(folder, 'missing'))).toThrow(OperatorError);
  });
});

describe('loadTrustedDocuments with manifests', () => {
  const md5 = createHash('md5').update(ME).digest('hex');

  it.each<[string, unknown, string[]]>([
    ['GraphQL Code Generator', { [ME_ID]: ME }, [ME_ID]],
    ['GraphQL Code Generator, without prefix', { [sha256(ME)]: ME }, [ME_ID, sha256(ME)]],
    ['Relay', { [md5]: ME }, [ME_ID, md5]],
    [
      'Apollo',
      {
        format: 'apollo-persisted-query-manifest',
        version: 1,
        operations: [{ id: sha256(ME), name: 'Me', type: 'query', body: ME }],
      },
      [ME_ID, sha256(ME)],
    ],
    ['an application with ids of its own', { 'x-app:me-1': ME }, [ME_ID, 'x-app:me-1']],
  ])('reads that of %s', async (_, manifest, ids) => {
    const [document, ...others] = await load({ 'manifest.json': JSON.stringify(manifest) });

    expect(others).toEqual([]);
    expect(document).toMatchObject({ ids, text: ME });
  });

  it.each<[string, string, string]>([
    ['no JSON', '{', 'is no JSON'],
    ['a list', '[]', 'is no manifest of persisted documents: it must contain texts by id, or that of Apollo'],
    [
      'another object',
      '{"name": {}}',
      'is no manifest of persisted documents: it must contain texts by id, or that of Apollo',
    ],
    [
      'operations of Apollo without text',
      '{"format": "apollo-persisted-query-manifest", "operations": [{"id": "a"}]}',
      'is no manifest of persisted documents: it must contain texts by id, or that of Apollo',
    ],
    [
      'the hash of another document',
      JSON.stringify({ [sha256('other')]: ME }),
      `has the id ${sha256('other')}, which is not the SHA-256 of its document`,
    ],
    ['an id with a space', '{"a b": "{ me { id } }"}', 'has the id a b, which no request can name'],
    ['a reserved prefix', '{"md5:0": "{ me { id } }"}', 'has the id md5:0, which no request can name'],
  ])('rejects %s', async (_, json, problem) => {
    expect(await problemOf({ 'manifest.json': json })).toContain(`  - manifest.json ${problem}`);
  });
});
