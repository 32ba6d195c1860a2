import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { registerCompression } from '../../src/http/compression.js';

let app: FastifyInstance;

async function serve(stream: () => Readable): Promise<string> {
  app = Fastify();
  await registerCompression(app);
  app.get('/', (_, reply) => reply.type('application/json').send(stream()));
  return app.listen({ port: 0 });
}

function* numbers(count: number): Generator<string> {
  for (let number = 0; number < count; number += 1) yield `${String(number)},`;
}

function* numbersThenFailure(): Generator<string> {
  yield* numbers(100_000);
  throw new Error('The page cannot be read');
}

describe('registerCompression', () => {
  afterEach(() => app.close());

  it('sends a stream whole', async () => {
    const url = await serve(() => Readable.from(numbers(1_000)));

    const response = await fetch(url);
    expect(response.headers.get('content-encoding')).not.toBeNull();
    expect(await response.text()).toBe([...numbers(1_000)].join(''));
  });

  it.each(['gzip', 'br'])('cuts a stream that fails, so that the client sees an error, with %s', async (encoding) => {
    const url = await serve(() => Readable.from(numbersThenFailure()));

    const response = await fetch(url, { headers: { 'accept-encoding': encoding } });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    await expect(response.text()).rejects.toThrow('terminated');
  });
});
