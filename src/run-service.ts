import { isServiceWorker, type Settings } from './config/index.js';
import { describeFailure } from './explain-operational-error.js';
import { PRINTED_EVENTS } from './output/service-events.js';

/**
 * Runs the service until `stop` is aborted: in this process, or in `WEB_CONCURRENCY` workers of it.
 *
 * Imports only what the role of this process needs, because a primary stays small.
 *
 * @returns the exit code of the process
 */
export async function runService(loadSettings: () => Settings, stop: AbortSignal): Promise<0 | 1> {
  if (isServiceWorker()) return (await import('./run-worker.js')).runWorker(stop);
  try {
    const settings = loadSettings();
    return await (settings.WEB_CONCURRENCY === 1 ? runAlone(settings, stop) : runPrimary(settings, stop));
  } catch (error) {
    PRINTED_EVENTS.onFailure(describeFailure(error));
    return 1;
  }
}

async function runAlone(settings: Settings, stop: AbortSignal): Promise<0 | 1> {
  const [{ serve }, { buildApp }] = await Promise.all([import('./serve.js'), import('./app.js')]);
  return serve(() => buildApp(settings, { stop }), stop);
}

async function runPrimary(settings: Settings, stop: AbortSignal): Promise<0> {
  const { runWorkers } = await import('./run-workers.js');
  await runWorkers(settings, stop);
  return 0;
}
