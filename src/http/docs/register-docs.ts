import type { FastifyInstance } from 'fastify';
import { HttpError, requestPath, type PublicUrl } from '../../http-core/index.js';
import { sendWithEntityTag } from '../../rest/index.js';
import type { Page } from '../pages/index.js';
import { docPage, DOCS_PATH, docsIndexPage } from './docs-pages.js';
import { readDocs } from './read-docs.js';

/**
 * Serves the pages of docs/, and their index. A page is read at its first request and then kept in memory, so that a
 * service whose documentation is never opened spends nothing.
 */
export function registerDocs(app: FastifyInstance, publicUrl: PublicUrl): void {
  const pages = new Map<string, Page>();
  const pageAt = (path: string): Page => {
    const page = pages.get(path) ?? createPage(path, publicUrl);
    pages.set(path, page);
    return page;
  };
  for (const url of [DOCS_PATH, `${DOCS_PATH}/*`]) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: (request, reply) => {
        const { html, headers } = pageAt(requestPath(request.url).replace(/\/$/, ''));
        return sendWithEntityTag(request, reply.headers(headers), html);
      },
    });
  }
}

/** @throws HttpError `NOT_FOUND` for a path without a page */
function createPage(path: string, publicUrl: PublicUrl): Page {
  const docs = readDocs();
  if (path === DOCS_PATH) return docsIndexPage(docs.values(), publicUrl);
  const doc = docs.get(path);
  if (doc === undefined) throw new HttpError('NOT_FOUND', 'There is nothing at this path.');
  return docPage(doc, publicUrl);
}
