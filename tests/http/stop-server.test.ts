import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { stopServer } from '../../src/http/stop-server.js';
import { openRawConnection, requestHead, sendRawRequest } from '../support/http/raw-http.js';

const GRACE_MS = 200;
const LONG_MS = 5_000;

async function start(
  handle: () => Promise<string> = async () => 'done',
): Promise<{ server: FastifyInstance; url: string }> {
  const server = Fastify({ forceCloseConnections: 'idle' });
  server.get('/', handle);
  return { server, url: await server.listen({ port: 0, host: '127.0.0.1' }) };
}

/** @returns the duration of the stop in ms */
async function timed(stop: Promise<void>): Promise<number> {
  const begun = performance.now();
  await stop;
  return performance.now() - begun;
}

const KEEP_ALIVE = requestHead('GET / HTTP/1.1', 'host: x', 'connection: keep-alive');

describe('stopServer', () => {
  it('does not wait for idle connections', async () => {
    const { server, url } = await start();
    const connection = await openRawConnection(url);
    connection.send(KEEP_ALIVE);
    await connection.waitForText('done');
    expect(await timed(stopServer(server, LONG_MS))).toBeLessThan(LONG_MS / 2);
    await connection.waitForClose();
  });

  it('waits for the response to a request in flight', async () => {
    let respond = (): void => undefined;
    const { server, url } = await start(
      () =>
        new Promise((resolve) => {
          respond = () => {
            resolve('done');
          };
        }),
    );
    const arrived = once(server.server, 'request');
    const exchanged = sendRawRequest(url, KEEP_ALIVE);
    await arrived;
    const stopped = stopServer(server, LONG_MS);
    respond();
    expect(await exchanged).toContain('done');
    await stopped;
  });

  it.each([
    ['never starts a request', ''],
    ['never ends the head of its request', 'GET / HTTP/1.1\r\nhost:'],
    [
      'never ends the body of its request',
      requestHead('POST / HTTP/1.1', 'host: x', 'content-type: application/json', 'content-length: 10'),
    ],
  ])('closes a connection that %s after the grace period', async (_, text) => {
    const { server, url } = await start();
    const accepted = once(server.server, 'connection');
    const connection = await openRawConnection(url);
    await accepted;
    if (text !== '') connection.send(text);
    expect(await timed(stopServer(server, GRACE_MS))).toBeLessThan(LONG_MS);
    await connection.waitForClose();
  });

  it('closes the connection of a response that does not end', async () => {
    const { server, url } = await start(() => new Promise(() => undefined));
    const arrived = once(server.server, 'request');
    const exchanged = sendRawRequest(url, KEEP_ALIVE);
    await arrived;
    await stopServer(server, GRACE_MS);
    expect(await exchanged).toBe('');
  });
});
