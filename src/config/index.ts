export * from './graphiql-enabled.js';
export * from './mail-outbox-dir.js';
export * from './development-secret.js';
export * from './load-config.js';
export * from './settings.js';
export { threadPoolSize } from './thread-pool.js';
export * from './worker-variable.js';
