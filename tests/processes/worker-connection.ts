import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { waitUntil } from '../support/wait-until.js';
import type { WorkerService } from './worker-service.js';

export interface SentRequest {
  readonly token?: string;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Received<Body> {
  readonly status: number;
  readonly body: Body;
}

/** One kept connection, and thus requests to one worker. */
export class WorkerConnection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  async send<Body>(method: string, path: string, sent: SentRequest = {}): Promise<Received<Body>> {
    const response = await this.open(method, path, sent);
    return { status: response.statusCode ?? 0, body: JSON.parse(await text(response)) as Body };
  }

  /** Resolves with the head of the response. Its body occupies the connection until it ends. */
  open(method: string, path: string, { token, json, headers = {} }: SentRequest = {}): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sending = request({
        agent: this.#agent,
        host: '127.0.0.1',
        port: this.#port,
        method,
        path,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      });
      sending.once('response', resolve);
      sending.once('error', reject);
      sending.end(json === undefined ? undefined : JSON.stringify(json));
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

let probes = 0;

/** Opens connections until one leads to the worker. */
export async function connectTo(service: WorkerService, pid: number): Promise<WorkerConnection> {
  for (;;) {
    const connection = new WorkerConnection(service.port);
    if ((await findWorker(service, connection)) === pid) return connection;
    connection.close();
  }
}

/** A worker logs the rejection of a token, with the id of the request and its own process id. */
async function findWorker({ logLines }: WorkerService, connection: WorkerConnection): Promise<number> {
  const requestId = `probe-${(probes += 1)}`;
  await connection.send('GET', '/api/auth/me', { token: 'none', headers: { 'x-request-id': requestId } });
  const find = (): number | undefined => logLines().find((line) => line.requestId === requestId)?.pid;
  await waitUntil('the worker logs the request', () => find() !== undefined);
  return find() ?? 0;
}
