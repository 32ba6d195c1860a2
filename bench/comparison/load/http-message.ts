/** The part of HTTP/1.1 that the load generator needs. */
import type { BenchRequest } from '../exchanges/exchange.js';

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const CONTENT_LENGTH = /\r\ncontent-length: (\d+)/i;

export interface ReceivedResponse {
  readonly status: number;
  /** Index of the first byte of the body in `bytes`. */
  readonly bodyStart: number;
  readonly isChunked: boolean;
  readonly bytes: Buffer;
}

export function serializeRequest({ method = 'GET', path, headers = {}, body }: BenchRequest, port: number): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = [`${method} ${path} HTTP/1.1`, `host: 127.0.0.1:${String(port)}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (text !== '') lines.push(`content-length: ${String(Buffer.byteLength(text))}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`);
}

/** @returns null while the response is incomplete */
export function readResponse(bytes: Buffer): ReceivedResponse | null {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return null;
  const head = bytes.toString('latin1', 0, headEnd);
  const bodyStart = headEnd + HEAD_END.length;
  const length = CONTENT_LENGTH.exec(head)?.[1];
  const isComplete =
    length === undefined
      ? bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
      : bytes.length >= bodyStart + Number(length);
  return isComplete ? { status: Number(head.slice(9, 12)), bodyStart, isChunked: length === undefined, bytes } : null;
}

export function bodyOf({ bytes, bodyStart, isChunked }: ReceivedResponse): string {
  return isChunked ? joinChunks(bytes.subarray(bodyStart)) : bytes.toString('utf8', bodyStart);
}

function joinChunks(chunked: Buffer): string {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = chunked.indexOf('\r\n', at);
    const size = Number.parseInt(chunked.toString('latin1', at, lineEnd), 16);
    if (!(size > 0)) return Buffer.concat(parts).toString('utf8');
    parts.push(chunked.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + size + 4;
  }
}
