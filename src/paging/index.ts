export * from './connection-page.js';
export { encodeCursor, readCursor, type CursorCodec } from './cursor.js';
export { NUMBER_CURSOR } from './number-cursor.js';
export * from './page-query.js';
export * from './timestamp-cursor.js';
