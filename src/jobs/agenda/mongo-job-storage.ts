import { MongoBackend } from '@agendajs/mongo-backend';
import { MongoClient, type MongoClientOptions } from 'mongodb';
import { withTimeout } from '../../async/with-timeout.js';
import { redactErrorMessage } from '../../database/errors/redact-error.js';
import { isError, OperatorError } from '../../errors/index.js';
import type { JobStorage } from './job-storage.js';

/** Options that the URI does not set. By default the driver waits for a silent server without a limit. */
const DEFAULTS = {
  appName: 'convene jobs',
  serverSelectionTimeoutMS: 2_000,
  connectTimeoutMS: 2_000,
  socketTimeoutMS: 3_000,
  waitQueueTimeoutMS: 3_000,
  maxPoolSize: 10,
} satisfies MongoClientOptions;

const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Opens the collection `agendaJobs` of the database that the URI names. `connect` creates the collection and its index.
 *
 * @throws OperatorError when the URI is null or invalid
 */
export function openMongoJobStorage(uri: string | null): JobStorage {
  if (uri === null) throw new OperatorError('MONGODB_URI is required with JOBS_BACKEND=mongo.');
  const client = openClient(uri);
  const backend = new MongoBackend({ mongo: client.db() });
  return {
    name: backend.name,
    repository: backend.repository,
    async connect() {
      await client.connect();
      await backend.connect();
    },
    // The client tells the server which sessions have ended, and a silent server does not confirm that.
    close: () => withTimeout(CLOSE_TIMEOUT_MS, client.close()).catch(() => undefined),
  };
}

function openClient(uri: string): MongoClient {
  try {
    return new MongoClient(uri, defaultsFor(uri));
  } catch (error) {
    if (!isError(error)) throw error;
    throw new OperatorError(`MONGODB_URI cannot be used: ${redactErrorMessage(error)}`, { cause: error });
  }
}

/** The options of a client take precedence over those of its URI, whose names are case-insensitive. */
function defaultsFor(uri: string): MongoClientOptions {
  const names = [...new URLSearchParams(/\?(.*)/s.exec(uri)?.[1]).keys()].map((name) => name.toLowerCase());
  return Object.fromEntries(Object.entries(DEFAULTS).filter(([name]) => !names.includes(name.toLowerCase())));
}
