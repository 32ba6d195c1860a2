import { PublicUrl } from '../../../src/http-core/index.js';
import type { AccountPageContext } from '../../../src/http/account-pages/account-page-context.js';
import type { PagesOptions } from '../../../src/http/pages/index.js';

export function pagesOptions(changes: Partial<PagesOptions> = {}): PagesOptions {
  return {
    running: 'Version 1.2.3, GraphQL by yoga.',
    publicUrl: new PublicUrl('https://convene.example'),
    graphqlPath: '/graphql',
    graphiql: true,
    restRoutes: [{ method: 'GET', path: '/api/groups/{group_id}/accepted-count', summary: 'How many have accepted.' }],
    problems: [
      {
        code: 'NOT_FOUND',
        status: 404,
        title: 'Not found',
        reasons: { GROUP_NOT_FOUND: { message: 'There is no such group.', remedy: 'Check the id.' } },
      },
    ],
    healthPath: '/readyz',
    pages: [
      { path: '/problems', label: 'Problems', summary: 'Why a request can be refused.' },
      { path: '/app', label: 'Web client', summary: 'For people.' },
    ],
    links: [{ path: '/verify-email', label: 'OpenAPI', summary: 'The contract of REST.' }],
    ...changes,
  };
}

export function accountPagesOptions(): AccountPageContext {
  return {
    publicUrl: new PublicUrl('https://convene.example'),
    graphqlPath: '/graphql',
    hasApp: true,
    passwordMinLength: 8,
  };
}
