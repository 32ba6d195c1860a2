import type { PagesOptions } from '../../../src/http/pages/index.js';

export function pagesOptions(changes: Partial<PagesOptions> = {}): PagesOptions {
  return {
    running: 'Version 1.2.3, GraphQL by yoga.',
    publicUrl: 'https://convene.example',
    graphqlEndpoint: '/graphql',
    graphiql: true,
    restRoutes: [{ method: 'GET', path: '/api/groups/{group_id}/accepted-count', summary: 'How many have accepted.' }],
    problems: [{ status: 404, title: 'Not found', reasons: { GROUP_NOT_FOUND: 'There is no such group.' } }],
    links: [{ href: '/api/docs', label: 'REST documentation', summary: 'Readable and tryable.' }],
    ...changes,
  };
}
