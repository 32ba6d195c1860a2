import type { FastifyInstance } from 'fastify';
import { sendPage, type Page } from '../pages/page.js';
import type { AccountPageContext } from './account-page-context.js';
import { registerApp } from './app-page.js';
import { invitationPage } from './invitation-page.js';
import { resetPasswordPage } from './reset-password-page.js';
import { verifyEmailPage } from './verify-email-page.js';

/** Serves the pages of the mailed links, and the web client. They are rendered once, at the start. */
export async function registerAccountPages(app: FastifyInstance, options: AccountPageContext): Promise<void> {
  const pages: readonly (readonly [path: string, page: Page])[] = [
    ['/invitation', invitationPage(options)],
    ['/verify-email', verifyEmailPage(options)],
    ['/reset-password', resetPasswordPage(options)],
  ];
  for (const [url, page] of pages) {
    app.route({ method: ['GET', 'HEAD'], url, handler: (_request, reply) => sendPage(reply, page) });
  }
  if (options.hasApp) registerApp(app, options);
}
