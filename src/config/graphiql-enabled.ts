import type { Settings } from './settings.js';

/** Returns whether /graphql serves GraphiQL: the setting, or else true unless `NODE_ENV` is `production`. */
export function isGraphiqlEnabled({ GRAPHIQL, NODE_ENV }: Pick<Settings, 'GRAPHIQL' | 'NODE_ENV'>): boolean {
  return GRAPHIQL ?? NODE_ENV !== 'production';
}
