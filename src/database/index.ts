export * from './batched-read.js';
export * from './connection-page.js';
export * from './database.js';
export * from './migrate.js';
export * from './outbox/enqueue.js';
export * from './outbox/outbox-task.entity.js';
export * from './statement.js';
export * from './transaction.js';
