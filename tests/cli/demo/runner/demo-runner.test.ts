import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { z } from 'zod';
import { DemoRunner, UnexpectedResponseError } from '../../../../src/cli/demo/runner/demo-runner.js';

let server: FastifyInstance;
let url: string;
let responses: { status: number; body: unknown }[];
let received: { authorization: string | undefined; body: unknown }[];
let shown: string;
let play: DemoRunner;

beforeAll(async () => {
  server = Fastify();
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) => {
    done(null, body);
  });
  server.all('/*', async (request, reply) => {
    received.push({ authorization: request.headers.authorization, body: request.body });
    const response = responses.length > 1 ? responses.shift() : responses[0];
    return reply.code(response?.status ?? 500).send(response?.body);
  });
  url = await server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());
beforeEach(() => {
  responses = [{ status: 200, body: { name: 'ada', more: true } }];
  received = [];
  shown = '';
  play = new DemoRunner(
    {
      print: (text) => {
        shown += `${text}\n`;
      },
      report: () => undefined,
      paint: (_, text) => text,
    },
    url,
  );
});

const expected = z.object({ name: z.literal('ada') });

describe('DemoRunner.rest', () => {
  it('returns an expected response and prints its checked part', async () => {
    expect(
      await play.rest({ description: 'Who am I?', method: 'GET', path: '/me', token: 'abc', status: 200, expected }),
    ).toEqual({ name: 'ada' });
    expect(received).toEqual([{ authorization: 'Bearer abc', body: undefined }]);
    expect(shown).toBe('\n 1  Who am I?\n    → GET /me\n    ← 200 {"name":"ada"}  right\n');
    expect([play.steps, play.right]).toEqual([1, 1]);
  });

  it.each([
    ['the status', { status: 201, body: { name: 'ada' } }, 'The status should have been 200.'],
    ['the body', { status: 200, body: { name: 'eve' } }, '✖ Invalid input: expected "ada"\n  → at name'],
    ['the kind of body', { status: 200, body: 'ada' }, '✖ Invalid input: expected object, received null'],
  ])('ends the play when %s is wrong', async (_, given, message) => {
    responses = [given];
    await expect(play.rest({ description: 'Who?', method: 'GET', path: '/me', status: 200, expected })).rejects.toThrow(
      new UnexpectedResponseError(message),
    );
    expect(shown).toContain('WRONG');
    expect([play.steps, play.right]).toEqual([1, 0]);
  });

  it('prints no secret of request or response', async () => {
    responses = [{ status: 200, body: { access_token: 'hidden-1', secret: 'hidden-2' } }];
    const secrets = z.object({ access_token: z.string(), secret: z.string() });
    await play.rest({
      description: 'JSON',
      method: 'POST',
      path: '/x',
      body: { password: 'hidden-3', input: { secret: 'hidden-4' } },
      token: 'hidden-5',
      status: 200,
      expected: secrets,
    });
    await play.rest({
      description: 'Form',
      method: 'POST',
      path: '/x',
      body: new URLSearchParams({ password: 'hidden-6' }),
      status: 200,
      expected: secrets,
    });
    expect(received.map(({ body }) => body)).toEqual([
      { password: 'hidden-3', input: { secret: 'hidden-4' } },
      'password=hidden-6',
    ]);
    expect(shown).not.toContain('hidden');
    await expect(
      play.rest({ description: 'Wrong', method: 'GET', path: '/x', status: 404, expected: secrets }),
    ).rejects.toThrow(UnexpectedResponseError);
    expect(shown).not.toContain('hidden');
  });
});

describe('DemoRunner.graphql', () => {
  const operation = `{
    me { name }
  }`;

  it('returns the data and prints the operation on one line', async () => {
    responses = [{ status: 200, body: { data: { name: 'ada' } } }];
    expect(await play.graphql({ description: 'Who am I?', operation, expected })).toEqual({ name: 'ada' });
    expect(received).toEqual([{ authorization: undefined, body: { query: operation, variables: {} } }]);
    expect(shown).toContain('→ GraphQL { me { name } }\n    ← 200 {"name":"ada"}  right');
  });

  it('rejects a response with errors, also when it has data', async () => {
    responses = [{ status: 200, body: { data: { name: 'ada' }, errors: [{ message: 'Partly broken.' }] } }];
    await expect(play.graphql({ description: 'Who?', operation, expected })).rejects.toThrow('at errors');
    expect(shown).toContain('Partly broken.');
  });

  it('repeats the request until its timeout, counted as one step', async () => {
    responses = [
      { status: 200, body: { data: { name: null } } },
      { status: 200, body: { data: { name: 'ada' } } },
    ];
    await play.graphql({ description: 'Who?', operation, expected, timeoutMs: 5_000 });
    expect(received).toHaveLength(2);
    expect([play.steps, play.right]).toEqual([1, 1]);
  });
});
