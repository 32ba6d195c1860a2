import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { nodeServerFactory } from '../../src/http/node-server.js';

let server: Server;

describe('nodeServerFactory', () => {
  afterEach(() => {
    server.close();
  });

  it('watches each connection for clients that read nothing', async () => {
    const watched: Socket[] = [];
    const sendTimeout = { watch: (socket: Socket) => watched.push(socket), stop: () => undefined };
    server = nodeServerFactory({ directRequests: null, sendTimeout })((_request, response) => response.end('answered'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;

    expect(await (await fetch(`http://127.0.0.1:${String(port)}/`)).text()).toBe('answered');
    expect(watched).toHaveLength(1);
  });

  it('keeps idle connections longer than proxies do', () => {
    const sendTimeout = { watch: () => undefined, stop: () => undefined };
    server = nodeServerFactory({ directRequests: null, sendTimeout })(() => undefined);

    expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
    expect([server.headersTimeout, server.requestTimeout]).toEqual([10_000, 30_000]);
  });
});
