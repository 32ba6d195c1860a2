export * from './next-turn.js';
export * from './operation-pace.js';
