import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { HttpError, PROBLEM_MEDIA_TYPE, toProblemDetails } from '../rest/index.js';

const REFUSALS: Readonly<Record<string, HttpError>> = {
  HPE_HEADER_OVERFLOW: new HttpError(
    'HEADERS_TOO_LARGE',
    'The path and the headers are larger than this service reads.',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError('REQUEST_TIMEOUT', 'The request did not arrive in time.'),
};
const MALFORMED = new HttpError('MALFORMED_REQUEST', 'This is no HTTP request.');

/** Answers what Node could not even read as a request, and closes the connection: where the next one would begin is unknown. */
export function handleClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { refusal } = REFUSALS[error.code ?? ''] ?? MALFORMED;
  // Of the request's own address nothing is known: an empty reference stands for it.
  const problem = toProblemDetails(refusal, { instance: '', requestId: randomUUID() });
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
