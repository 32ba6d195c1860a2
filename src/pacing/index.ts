export * from './foreground.js';
export * from './in-slices.js';
export * from './next-turn.js';
export * from './operation-pace.js';
export * from './slice-length.js';
