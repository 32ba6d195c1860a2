import { DOCUMENTS as REST_DOCUMENTS } from './generated/rest-documents.js';
import { DOCUMENTS as WEB_DOCUMENTS } from './generated/web-documents.js';
import type { TrustedDocument } from './trusted-document.js';

/** The documents of REST and of the browser code. Their ids are generated from the texts. */
export const PRODUCT_DOCUMENTS: readonly TrustedDocument[] = Object.entries({
  ...REST_DOCUMENTS,
  ...WEB_DOCUMENTS,
}).map(([id, text]) => ({ ids: [id], text, origin: 'the documents of the service' }));
