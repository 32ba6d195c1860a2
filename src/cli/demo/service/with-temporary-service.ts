import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp, type App } from '../../../app.js';
import { loadConfig, type Settings } from '../../../config/index.js';
import { abortable } from '../../execution/abortable.js';
import type { CommandContext } from '../../execution/command-context.js';
import { createCommandLogger } from '../../execution/command-logger.js';
import type { DemoService } from './demo-service.js';

/** Lets the OS user of PostgreSQL, which never runs as root, reach its data folder. */
const TRAVERSABLE_MODE = 0o711;

/** Starts a service on a free port with a new data folder, runs `work`, stops the service and removes the folder. */
export async function withTemporaryService<T>(
  { stop }: CommandContext,
  settings: Settings,
  work: (service: DemoService) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'convene-demo-'));
  try {
    await chmod(folder, TRAVERSABLE_MODE);
    const environment = { DATA_DIR: folder, PORT: '0', GRAPHQL_ENGINE: settings.GRAPHQL_ENGINE };
    // The demo provokes rejections on purpose; their warnings would interrupt its output.
    const log = createCommandLogger(settings.LOG_LEVEL === 'silent' ? 'silent' : 'error');
    const app = await buildApp(loadConfig(environment, folder), { log });
    try {
      return await abortable(stop, async () => work(await listen(app)));
    } finally {
      await app.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function listen(app: App): Promise<DemoService> {
  return {
    url: await app.listen(),
    core: app,
    description: 'a service of its own, since none runs here; its data is removed afterwards',
  };
}
