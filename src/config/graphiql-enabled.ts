import type { Settings } from './settings.js';

type RelevantSettings = Pick<Settings, 'GRAPHIQL' | 'NODE_ENV' | 'TRUSTED_DOCUMENTS_ONLY'>;

/**
 * Returns whether /graphql serves GraphiQL: the setting, or else true unless `NODE_ENV` is `production` or only trusted
 * documents are allowed.
 */
export function isGraphiqlEnabled({ GRAPHIQL, NODE_ENV, TRUSTED_DOCUMENTS_ONLY }: RelevantSettings): boolean {
  return GRAPHIQL ?? (NODE_ENV !== 'production' && !TRUSTED_DOCUMENTS_ONLY);
}
