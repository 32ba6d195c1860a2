import type { Settings } from './settings.js';

/** Whether a browser that opens /graphql gets GraphiQL: what was set, or else what suits the mode. */
export function isGraphiqlEnabled({ GRAPHIQL, NODE_ENV }: Pick<Settings, 'GRAPHIQL' | 'NODE_ENV'>): boolean {
  return GRAPHIQL ?? NODE_ENV !== 'production';
}
