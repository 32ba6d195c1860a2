export * from './catalogue.js';
export * from './domain-error.js';
export * from './field-error-collector.js';
export * from './operator-error.js';
export * from './is-error.js';
export * from './is-record.js';
export * from './report-unexpected-error.js';
export * from './permanent-error.js';
