import { request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/** Sends each body to its end on a worker thread, so that the measuring thread is not blocked. */
function send({ url, body }) {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const sending = request(
      url,
      { method: 'POST', headers: { 'content-type': 'application/json', 'content-length': body.length } },
      (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('error', () => {
          resolve({ status: null, text, ms: performance.now() - startedAt });
        });
        response.on('end', () => {
          resolve({ status: response.statusCode, text, ms: performance.now() - startedAt });
        });
      },
    );
    sending.on('error', () => {
      resolve({ status: null, text: '', ms: performance.now() - startedAt });
    });
    sending.end(body);
  });
}

const { urls, each, bytes } = workerData;
const text = 'x'.repeat(bytes);
const bodies = urls.flatMap(({ url, before, after }) =>
  Array.from({ length: each }, () => ({ url, body: Buffer.from(before + text + after) })),
);
parentPort.postMessage(await Promise.all(bodies.map(send)));
