import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { ConfigError } from '../src/config/index.js';
import { EmbeddedServerError } from '../src/database/embedded/embedded-server.js';
import { ConflictError, InvalidInputError, OperatorError, UnavailableError } from '../src/errors/index.js';
import { explainOperationalError } from '../src/explain-operational-error.js';
import { databaseUrl, SERVER_URL_VARIABLE } from './support/database/test-database.js';

const SERVER_URL = process.env[SERVER_URL_VARIABLE] ?? '';
let server: Server;
let port: number;

beforeAll(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as { port: number }).port;
});
afterAll(() => {
  server.close();
});

async function errorOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

async function listeningError(wanted: number, address: string): Promise<unknown> {
  const other = createServer().listen(wanted, address);
  return new Promise((resolve) => {
    other.once('error', resolve);
  });
}

async function databaseError(url: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  return errorOf(() => client.connect());
}

describe('explainOperationalError', () => {
  it('names the port in use, and the remedy', async () => {
    expect(explainOperationalError(await listeningError(port, '127.0.0.1'))).toBe(
      `Port ${port} of 127.0.0.1 is in use by another program: ` +
        'stop that one, or choose another port, as in PORT=4001 npm start.',
    );
  });

  it('states that an address does not belong to this host', async () => {
    expect(explainOperationalError(await listeningError(0, '192.0.2.1'))).toMatch(
      /^192\.0\.2\.1 is no address of this machine/,
    );
  });

  it("states that no server responds at the database's address", async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port: freePort } = closed.address() as { port: number };
    closed.close();
    expect(explainOperationalError(await databaseError(`postgres://127.0.0.1:${freePort}/x`))).toMatch(
      new RegExp(
        String.raw`^The database cannot be used \(connect ECONNREFUSED 127\.0\.0\.1:\d+\): ` +
          String.raw`see that it runs, and that DATABASE_URL is right\.$`,
      ),
    );
  });

  it('states that the database rejects the password, without repeating it', async () => {
    const url = new URL(SERVER_URL);
    url.password = 'not-this-one';
    const advice = explainOperationalError(await databaseError(url.href));
    expect(advice).toContain('password authentication failed');
    expect(advice).not.toContain('not-this-one');
  });

  it('states that a database does not exist', async () => {
    expect(explainOperationalError(await databaseError(databaseUrl(SERVER_URL, 'nowhere')))).toContain(
      'database "nowhere" does not exist',
    );
  });

  it.each([
    [new ConfigError(['PORT is wrong']), 'Convene cannot start with these settings:\n  - PORT is wrong'],
    [new EmbeddedServerError('It is in use.'), 'It is in use.'],
    [new OperatorError('Set SERVER_SECRET.'), 'Set SERVER_SECRET.'],
    [new ConflictError('USERNAME_TAKEN'), new ConflictError('USERNAME_TAKEN').message],
    [
      new InvalidInputError([
        { field: 'name', message: 'is too long' },
        { field: 'scopes', message: 'is empty' },
      ]),
      'name is too long; scopes is empty',
    ],
    [new UnavailableError('DATABASE_UNAVAILABLE'), new UnavailableError('DATABASE_UNAVAILABLE').message],
  ])('repeats the message of an error', (error, advice) => {
    expect(explainOperationalError(error)).toBe(advice);
  });

  it.each([
    [new TypeError('undefined is not a function')],
    [Object.assign(new Error('x'), { code: 'ENOSPC' })],
    ['text'],
    [undefined],
  ])('returns nothing for an unexpected error', (error) => {
    expect(explainOperationalError(error)).toBeNull();
  });
});
