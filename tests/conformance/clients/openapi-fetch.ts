// #region connect
import createClient from 'openapi-fetch';

/**
 * `Paths` are the types that openapi-typescript generates: `npx openapi-typescript http://localhost:4000/openapi.json
 * -o openapi.ts`.
 */
export function connectOpenapiFetch<Paths extends object>(url: string, fetch: typeof globalThis.fetch) {
  return createClient<Paths>({ baseUrl: url, fetch });
}
// #endregion
