/** Plugin of GraphQL Code Generator: the text of each operation with its fragments, by id. */
import { concatAST, separateOperations } from 'graphql';
import { documentId, printDocument } from './document-id.mjs';

export function plugin(_schema, documents) {
  const operations = separateOperations(concatAST(documents.map(({ document }) => document)));
  const texts = Object.values(operations).map(printDocument);
  const byId = Object.fromEntries(texts.map((text) => [documentId(text), text]));
  return `export const DOCUMENTS: Readonly<Record<string, string>> = ${JSON.stringify(byId, null, 2)};`;
}
