import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp, type App } from '../../app.js';
import { loadConfig, type Settings } from '../../config/index.js';
import { abortable } from '../abortable.js';
import type { CommandContext } from '../command-context.js';
import { createCommandLogger } from '../command-logger.js';
import type { DemoService } from './stage.js';

/** PostgreSQL, which never runs as root, must be able to pass through. */
const PASSABLE = 0o711;

/** Has a service of its own for as long as the work takes: on any free port, with a data folder that is removed afterwards. */
export async function withTemporaryService<T>(
  { stop }: CommandContext,
  settings: Settings,
  work: (stage: DemoService) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'convene-demo-'));
  try {
    await chmod(folder, PASSABLE);
    const environment = { DATA_DIR: folder, PORT: '0', GRAPHQL_ENGINE: settings.GRAPHQL_ENGINE };
    // What the demo tries to do wrong is warned of; that would only stand between its lines.
    const log = createCommandLogger(settings.LOG_LEVEL === 'silent' ? 'silent' : 'error');
    const app = await buildApp(loadConfig(environment, folder), { log });
    try {
      return await abortable(stop, async () => work(await openStage(app)));
    } finally {
      await app.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function openStage(app: App): Promise<DemoService> {
  return {
    url: await app.listen(),
    core: app,
    about: 'a service of its own, since none runs here; its data is removed afterwards',
  };
}
