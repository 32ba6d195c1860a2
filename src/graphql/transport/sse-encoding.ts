import { resultToJson } from '../pacing/result-json.js';
import { reconnectDelayMs, type StreamEncoding } from './stream-encoding.js';

export const SSE_MEDIA_TYPE = 'text/event-stream';

/** Server-sent events, in the distinct connections mode of GraphQL over SSE. */
export const SSE_ENCODING: StreamEncoding = {
  contentType: SSE_MEDIA_TYPE,
  opening: retryHint,
  // A comment.
  heartbeat: ':\n\n',
  // `JSON.stringify` returns no line breaks, so one `data` line is enough.
  encodeResult: (result) => `event: next\ndata: ${resultToJson(result)}\n\n`,
  completion: 'event: complete\ndata:\n\n',
  // Without `complete`, the client reconnects.
  interruption: retryHint,
};

function retryHint(): string {
  return `retry: ${reconnectDelayMs()}\n\n`;
}
