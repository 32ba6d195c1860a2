import { once } from 'node:events';
import type { Overrides } from './open-core.js';
import type { ServiceEvents } from './output/service-events.js';
import type { Order, Report, StartOrder } from './processes/messages.js';
import { exitAfterStop } from './shutdown/exit-after-stop.js';

/**
 * Runs the service as a worker, until the primary or `stop` ends it. Node ends a worker immediately when its primary
 * has ended.
 *
 * @returns the exit code of the process
 */
export async function runWorker(stop: AbortSignal): Promise<0 | 1> {
  const orders = receiveOrders();
  const stopped = AbortSignal.any([stop, orders.stop]);
  // The modules load while the primary starts the database. Later, loading the transports would block the connections
  // that are being opened, which has a limit of time.
  const [{ serve }, { buildApp }] = await Promise.all([
    import('./serve.js'),
    import('./app.js'),
    import('./compose-http-server.js'),
  ]);
  const order = await Promise.race([orders.start, abortOf(stopped)]);
  const exitCode =
    order === null
      ? 0
      : await serve(() => buildApp(order.settings, overridesOf(order, stopped)), stopped, REPORTED_EVENTS);
  // From here on, the channel to the primary does not keep the process alive.
  process.channel?.unref();
  exitAfterStop(stopped);
  return exitCode;
}

interface ReceivedOrders {
  readonly start: Promise<StartOrder>;
  readonly stop: AbortSignal;
}

function receiveOrders(): ReceivedOrders {
  const start = Promise.withResolvers<StartOrder>();
  const stop = new AbortController();
  process.on('message', (order: Order) => {
    if (order.type === 'start') start.resolve(order);
    else stop.abort();
  });
  return { start: start.promise, stop: stop.signal };
}

async function abortOf(signal: AbortSignal): Promise<null> {
  if (!signal.aborted) await once(signal, 'abort');
  return null;
}

function overridesOf({ databaseUrl, migrates }: StartOrder, stop: AbortSignal): Overrides {
  const overrides = { databaseUrl, stop, isMigrated: !migrates };
  if (!migrates) return overrides;
  const onMigrated = (): void => {
    report({ type: 'migrated' });
  };
  return { ...overrides, onMigrated };
}

const REPORTED_EVENTS: ServiceEvents = {
  onListening: (greeting) => {
    report({ type: 'listening', greeting });
  },
  // The primary prints it.
  onStopping: () => undefined,
  onFailure: (reason) => {
    report({ type: 'failed', reason });
  },
};

function report(message: Report): void {
  process.send?.(message);
}
