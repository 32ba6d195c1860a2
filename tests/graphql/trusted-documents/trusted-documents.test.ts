import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { OperatorError } from '../../../src/errors/index.js';
import { PRODUCT_DOCUMENTS } from '../../../src/graphql/trusted-documents/product-documents.js';
import { documentIdOf, type TrustedDocument } from '../../../src/graphql/trusted-documents/trusted-document.js';
import { TrustedDocuments } from '../../../src/graphql/trusted-documents/trusted-documents.js';

const TEXT = '{ me { id } }';
const ID = documentIdOf(TEXT);
const OTHER = '{ me { username } }';

function trusted(...documents: Partial<TrustedDocument>[]): TrustedDocuments {
  return new TrustedDocuments(
    documents.map((document, index) => ({ ids: [ID], text: TEXT, origin: `file ${String(index)}`, ...document })),
    { isExclusive: false },
  );
}

function codeOf(documentId: string, text: string | null): string {
  try {
    return trusted({ ids: [ID, 'mine'] }).resolve(documentId, text);
  } catch (error) {
    return (error as { descriptor: { code: string } }).descriptor.code;
  }
}

describe('TrustedDocuments', () => {
  it.each<[string, string, string | null, string]>([
    ['its hash', ID, null, TEXT],
    ['the id of its manifest', 'mine', null, TEXT],
    ['its hash beside the text', ID, TEXT, TEXT],
    ['the id of its manifest beside the text', 'mine', TEXT, TEXT],
    ['the hash of another text beside that text', documentIdOf(OTHER), OTHER, OTHER],
    ['an unknown hash', documentIdOf(OTHER), null, 'PERSISTED_DOCUMENT_NOT_FOUND'],
    ['a hash in upper case', ID.toUpperCase(), null, 'PERSISTED_DOCUMENT_NOT_FOUND'],
    ['a hash without its prefix', ID.slice('sha256:'.length), null, 'PERSISTED_DOCUMENT_NOT_FOUND'],
    ['a name of all objects', '__proto__', null, 'PERSISTED_DOCUMENT_NOT_FOUND'],
    ['its hash beside another text', ID, OTHER, 'MALFORMED_REQUEST'],
    ['the id of its manifest beside another text', 'mine', OTHER, 'MALFORMED_REQUEST'],
    ['an unknown id beside a text', 'unknown', OTHER, 'MALFORMED_REQUEST'],
  ])('resolves %s', (_, documentId, text, result) => {
    expect(codeOf(documentId, text)).toBe(result);
  });

  it('accepts a document that is listed twice', () => {
    expect(trusted({}, {}).resolve(ID, null)).toBe(TEXT);
  });

  it('rejects two documents of one id', () => {
    expect(() => trusted({ ids: ['mine'] }, { ids: ['mine'], text: OTHER })).toThrow(
      new OperatorError('Two trusted documents have the id mine: in file 0 and in file 1.'),
    );
  });

  it('contains the documents of the service under the hash of their text', () => {
    expect(PRODUCT_DOCUMENTS.length).toBeGreaterThan(15);
    for (const { ids, text } of PRODUCT_DOCUMENTS) expect(ids).toEqual([documentIdOf(text)]);
  });

  it('contains every document that the browser code names by id', () => {
    const file = fileURLToPath(new URL('../../../src/web/generated/operations.ts', import.meta.url));
    const named = Array.from(readFileSync(file, 'utf8').matchAll(/"documentId":"([^"]+)"/g), ([, id]) => id);
    const known = PRODUCT_DOCUMENTS.flatMap(({ ids }) => ids);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((id) => id !== undefined && !known.includes(id))).toEqual([]);
  });
});
