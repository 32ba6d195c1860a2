import { OperatorError } from '../../errors/index.js';
import { HttpError } from '../../http-core/index.js';
import { documentIdOf, type TrustedDocument } from './trusted-document.js';

/** The documents that clients may call by id. They do not change while the process runs. */
export class TrustedDocuments {
  readonly all: readonly TrustedDocument[];
  /** Whether every other document is rejected. */
  readonly isExclusive: boolean;
  readonly #textById: ReadonlyMap<string, string>;

  /** @throws OperatorError when two documents have the same id */
  constructor(all: readonly TrustedDocument[], options: { readonly isExclusive: boolean }) {
    this.all = all;
    this.isExclusive = options.isExclusive;
    this.#textById = textsById(all);
  }

  /**
   * Returns the text of the document that a request names.
   *
   * @param text the document that the request contains beside its id; null for none
   * @throws HttpError `PERSISTED_DOCUMENT_NOT_FOUND` for an unknown id without a text, `MALFORMED_REQUEST` for a text
   *   of another document
   */
  resolve(documentId: string, text: string | null): string {
    const known = this.#textById.get(documentId);
    if (text === null) return known ?? notFound();
    if (text === known || documentId === documentIdOf(text)) return text;
    throw new HttpError('MALFORMED_REQUEST', 'query must be the document that documentId names, or be left out.');
  }
}

function textsById(all: readonly TrustedDocument[]): ReadonlyMap<string, string> {
  const documents = new Map<string, TrustedDocument>();
  for (const document of all) {
    for (const id of document.ids) {
      const { text, origin } = documents.get(id) ?? document;
      if (text !== document.text)
        throw new OperatorError(`Two trusted documents have the id ${id}: in ${origin} and in ${document.origin}.`);
      documents.set(id, document);
    }
  }
  return new Map(Array.from(documents, ([id, { text }]) => [id, text]));
}

function notFound(): never {
  throw new HttpError('PERSISTED_DOCUMENT_NOT_FOUND', 'The service knows no document of this documentId.');
}
