import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OperatorError } from '../../../src/errors/index.js';
import { openMongoJobStorage } from '../../../src/jobs/agenda/mongo-job-storage.js';

describe('openMongoJobStorage', () => {
  let silentServer: Server;
  let host: string;
  beforeEach(async () => {
    silentServer = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(silentServer, 'listening');
    host = `127.0.0.1:${(silentServer.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    silentServer.close();
    await once(silentServer, 'close');
  });

  async function connectionErrorOf(uri: string): Promise<unknown> {
    const storage = openMongoJobStorage(uri);
    try {
      return await storage.connect().catch((error: unknown) => error);
    } finally {
      await storage.close();
    }
  }

  it.each([
    [null, 'MONGODB_URI is required with JOBS_BACKEND=mongo.'],
    ['mongodb://host/db?tsl=true', 'MONGODB_URI cannot be used: option tsl is not supported'],
    ['mongodb://ada:secret@host/db?tls=maybe', /^MONGODB_URI cannot be used: (?!.*secret)/],
    ['mongodb://ada:se/cret@host/db', /^MONGODB_URI cannot be used: (?!.*cret)/],
  ])('rejects %j with the reason and without the password', (uri, message) => {
    expect(() => openMongoJobStorage(uri)).toThrow(OperatorError);
    expect(() => openMongoJobStorage(uri)).toThrow(message);
  });

  it('waits 2 s for a server that does not answer', async () => {
    expect(await connectionErrorOf(`mongodb://${host}/db`)).toMatchObject({
      message: 'Server selection timed out after 2000 ms',
    });
  });

  it('lets an option of the URI take precedence over its default', async () => {
    expect(await connectionErrorOf(`mongodb://${host}/db?serverselectiontimeoutms=123`)).toMatchObject({
      message: 'Server selection timed out after 123 ms',
    });
  });
});
