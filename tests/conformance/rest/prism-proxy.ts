import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import type { Readable } from 'node:stream';
import { isRecord } from '../../../src/errors/index.js';
import { TestClient, type TestResponse } from '../../support/http/test-client.js';

export interface PrismProxy {
  readonly url: string;
}

const PRISM = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js');
const LIMIT_MS = 90_000;
/** The type of a response that Prism itself makes. */
const PRISM_ERROR = /^https:\/\/stoplight\.io\/prism\/errors#(\w+)/;

/**
 * Runs `work` with a proxy that validates each response of the upstream against an OpenAPI document. Invalid requests
 * are forwarded, so that the responses to them are validated too.
 */
export async function withPrismProxy<T>(
  document: string,
  upstream: string,
  work: (proxy: PrismProxy) => Promise<T>,
): Promise<T> {
  const port = await findFreePort();
  const options = ['--errors', '--validate-request', 'false', '--port', String(port)];
  const child = spawn(process.execPath, [PRISM, 'proxy', document, upstream, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  try {
    await waitUntilReady(child);
    return await withTimeLimit(work({ url: `http://127.0.0.1:${String(port)}` }));
  } finally {
    child.kill();
    await closed;
  }
}

function waitUntilReady(child: ChildProcessByStdio<null, Readable, Readable>): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes('Prism is listening')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', () => {
      reject(new Error(`Prism did not start:\n${output}`));
    });
  });
}

/** Prism leaves some requests without a response. */
function withTimeLimit<T>(work: Promise<T>): Promise<T> {
  const limit = new Promise<never>((_, reject) => {
    setTimeout(() => {
      reject(new Error(`The requests through Prism took more than ${String(LIMIT_MS / 1_000)} s`));
    }, LIMIT_MS).unref();
  });
  return Promise.race([work, limit]);
}

/** Returns what Prism reports about a response; null when the response is that of the upstream. */
export function prismViolation({ body, text }: TestResponse): string | null {
  return isRecord(body) && typeof body.type === 'string' && PRISM_ERROR.test(body.type) ? text : null;
}

export function clientOf(proxy: PrismProxy, token: string | null): TestClient {
  return new TestClient(proxy.url, token);
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return address.port;
}
