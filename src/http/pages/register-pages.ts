import type { FastifyInstance } from 'fastify';
import { invitationPage } from './invitation-page.js';
import { sendPage, type Page } from './page.js';
import type { ProblemType } from './problem-types.js';
import { problemsPage } from './problems-page.js';
import { resetPasswordPage } from './reset-password-page.js';
import { startPage, type StartPageParts } from './start-page.js';
import { verifyEmailPage } from './verify-email-page.js';

export interface PagesOptions extends StartPageParts {
  /** What requests are refused for. */
  readonly problems: readonly ProblemType[];
}

/**
 * Serves the pages that people open in a browser. They are made once: no request has a part in them, so none
 * of what a request carries can end up in one.
 */
export async function registerPages(app: FastifyInstance, options: PagesOptions): Promise<void> {
  const pages: readonly (readonly [path: string, page: Page])[] = [
    ['/', startPage(options)],
    ['/problems', problemsPage(options.problems)],
    ['/invitation', invitationPage(options.graphqlEndpoint)],
    ['/verify-email', verifyEmailPage(options.graphqlEndpoint)],
    ['/reset-password', resetPasswordPage(options.graphqlEndpoint)],
  ];
  for (const [path, page] of pages) {
    app.get(path, { exposeHeadRoute: true }, (_request, reply) => sendPage(reply, page));
  }
}
