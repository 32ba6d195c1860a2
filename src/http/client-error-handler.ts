import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { HttpError, PROBLEM_MEDIA_TYPE, toProblemDetails, type PublicUrl } from '../http-core/index.js';

const ERRORS_BY_CODE: Readonly<Record<string, HttpError>> = {
  HPE_HEADER_OVERFLOW: new HttpError(
    'HEADERS_TOO_LARGE',
    'The path and the headers are larger than this service reads.',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError('REQUEST_TIMEOUT', 'The request did not arrive in time.'),
};
const MALFORMED = new HttpError('MALFORMED_REQUEST', 'This is no HTTP request.');

/**
 * Creates a handler that responds to bytes that Node could not parse as a request, and closes the connection, because
 * the start of the next request is unknown.
 */
export function createClientErrorHandler(publicUrl: PublicUrl): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    handleClientError(publicUrl, error, socket);
  };
}

function handleClientError(publicUrl: PublicUrl, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { descriptor } = ERRORS_BY_CODE[error.code ?? ''] ?? MALFORMED;
  const problem = toProblemDetails(descriptor, { path: null, requestId: randomUUID(), publicUrl });
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    `content-type: ${PROBLEM_MEDIA_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${problem.request_id}`,
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
