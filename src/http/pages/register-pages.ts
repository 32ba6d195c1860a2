import type { FastifyInstance } from 'fastify';
import type { ProblemType } from '../../http-core/index.js';
import { sendPage, type Page } from './page.js';
import { problemsPage } from './problems-page.js';
import { startPage, type StartPageParts } from './start-page.js';

export interface PagesOptions extends StartPageParts {
  /** The content of the page `/problems`. */
  readonly problems: readonly ProblemType[];
}

/**
 * Serves the pages for browsers. They are rendered once, at the start, so that they contain no data of any request.
 *
 * The start page is rendered when all routes are known, and links only to those that the service has.
 */
export async function registerPages(app: FastifyInstance, options: PagesOptions): Promise<void> {
  const problems = problemsPage(options.problems, options);
  serve(app, '/problems', () => problems);
  serveStartPage(app, options);
}

function serveStartPage(app: FastifyInstance, options: StartPageParts): void {
  const isServed = ({ path }: { readonly path: string }): boolean => app.hasRoute({ method: 'GET', url: path });
  let page: Page;
  app.addHook('onReady', (done) => {
    const { pages, links } = options;
    page = startPage({ ...options, pages: pages.filter(isServed), links: links.filter(isServed) });
    done();
  });
  serve(app, '/', () => page);
}

function serve(app: FastifyInstance, url: string, getPage: () => Page): void {
  app.route({ method: ['GET', 'HEAD'], url, handler: (_request, reply) => sendPage(reply, getPage()) });
}
