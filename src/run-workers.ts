import { once } from 'node:events';
import type { Settings } from './config/index.js';
import { createLogger } from './output/logger.js';
import { PRINTED_EVENTS } from './output/service-events.js';
import { choosePort } from './processes/choose-port.js';
import { findServerSecrets } from './processes/find-server-secrets.js';
import { openDatabaseServer } from './processes/open-database-server.js';
import { requireFreePort } from './processes/require-free-port.js';
import { WorkerGroup } from './processes/worker-group.js';
import { ShutdownStack } from './shutdown/shutdown-stack.js';

/**
 * Runs the service in `WEB_CONCURRENCY` worker processes on one port, until `stop` is aborted.
 *
 * This process is their primary. It owns what exists once: the embedded database, the server secret of a development
 * service, the port, and the texts for the operator. It accepts the connections and passes them to the workers in turn.
 *
 * @throws Error when a worker cannot start, or a part did not stop cleanly
 */
export async function runWorkers(wanted: Settings, stop: AbortSignal): Promise<void> {
  const settings = { ...wanted, PORT: await choosePort(wanted) };
  await requireFreePort(settings);
  const log = await createLogger(settings);
  const shutdown = new ShutdownStack();
  // Before the database, because the workers load their modules while it starts.
  const workers = new WorkerGroup(settings.WEB_CONCURRENCY, log);
  await shutdown.stopOnFailure(async () => {
    const database = openDatabaseServer(settings, log);
    // First, because it stops last.
    shutdown.add('the database server', async () => (await database).stop(), { mustEnd: true });
    shutdown.add('the workers', () => workers.stop(), { mustEnd: true });
    const [SERVER_SECRET, { url }] = await Promise.all([findServerSecrets(settings), database]);
    const listening = workers.start({ settings: { ...settings, SERVER_SECRET }, databaseUrl: url });
    if (await isAbortedBefore(listening, stop)) return;
    PRINTED_EVENTS.onListening(await listening);
    if (!stop.aborted) await once(stop, 'abort');
    PRINTED_EVENTS.onStopping();
  });
  await shutdown.stop();
}

/** Whether `stop` is aborted before the work ends. Work that fails after the abort was interrupted by it. */
async function isAbortedBefore(work: Promise<unknown>, stop: AbortSignal): Promise<boolean> {
  const settled = new AbortController();
  const aborted = stop.aborted ? Promise.resolve() : once(stop, 'abort', { signal: settled.signal });
  try {
    await Promise.race([work, aborted]);
  } catch (error) {
    if (!stop.aborted) throw error;
  } finally {
    settled.abort();
  }
  return stop.aborted;
}
