export * from './by-mode.js';
export * from './data-folder.js';
export * from './development-secret.js';
export * from './load-config.js';
export * from './settings.js';
