import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { describeMissing } from '../processes/installed-programs.js';
import { startFerretDb, type FerretDbServer } from './ferretdb-server.js';

const BUILD_SCRIPT = fileURLToPath(new URL('../../../scripts/build-ferretdb.mjs', import.meta.url));

/**
 * Declares tests that need a MongoDB server: the one that `MONGODB_URI` names, otherwise FerretDB. Without both they
 * are reported as not run, or as failed with `TEST_PROGRAMS=required`.
 *
 * @param tests called with a function that returns the URI of a database of their own, which exists during the tests
 */
export function describeWithMongo(title: string, tests: (mongodbUri: () => string) => void): void {
  const serverUri = process.env['MONGODB_URI'] ?? '';
  if (serverUri === '') {
    describeWithFerretDb(title, (server) => {
      tests(() => `${server().uri}convene`);
    });
    return;
  }
  describe(title, () => {
    const uri = withOwnDatabase(serverUri);
    afterAll(() => dropDatabase(uri));
    tests(() => uri);
  });
}

/**
 * Declares tests that need FerretDB, which is built while the file is loaded. Without it they are reported as by
 * `describeWithMongo`.
 *
 * @param tests called with a function that returns the server, which runs during the tests
 */
export function describeWithFerretDb(title: string, tests: (server: () => FerretDbServer) => void): void {
  const { status, stdout } = spawnSync(process.execPath, [BUILD_SCRIPT], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (status !== 0) {
    describeMissing(title, `a MongoDB server (MONGODB_URI), or FerretDB: ${stdout.trim()}`);
    return;
  }
  describe(title, () => {
    let server: FerretDbServer;
    beforeAll(async () => {
      server = await startFerretDb(stdout.trim());
    });
    afterAll(() => server.stop());
    tests(() => server);
  });
}

/** Credentials keep their database: without `authSource`, the driver looks for them in the database of the path. */
function withOwnDatabase(serverUri: string): string {
  const url = new URL(serverUri);
  if (url.username !== '' && !url.searchParams.has('authSource'))
    url.searchParams.set('authSource', url.pathname.slice(1) || 'admin');
  url.pathname = `/convene_test_${randomUUID().replaceAll('-', '')}`;
  return url.href;
}

/** Deletes the database that the URI names. */
export async function dropDatabase(uri: string): Promise<void> {
  const client = new MongoClient(uri);
  try {
    await client.db().dropDatabase();
  } finally {
    await client.close();
  }
}
