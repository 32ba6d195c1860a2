import type { BenchRequest } from './exchange.js';

export const JSON_BODY = { 'content-type': 'application/json' } as const;

export function graphqlRequest(
  query: string,
  variables: object,
  headers: Readonly<Record<string, string>>,
): BenchRequest {
  return { method: 'POST', path: '/graphql', headers: { ...JSON_BODY, ...headers }, body: { query, variables } };
}
