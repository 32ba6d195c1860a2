/** Plugin of GraphQL Code Generator: typed documents with the id of each operation, in `__meta__.documentId`. */
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import { documentId, printDocument } from './document-id.mjs';

export function plugin(schema, documents, config, info) {
  const withId = (document) => ({ documentId: documentId(printDocument(document)) });
  return typedDocumentNode.plugin(schema, documents, { ...config, unstable_onExecutableDocumentNode: withId }, info);
}
