import type { CommandContext } from '../command-context.js';
import { withCore } from '../with-core.js';
import { withTemporaryService } from './own-service.js';
import { findRunningService } from './running-service.js';
import type { DemoService } from './stage.js';

/** Runs the work against the running service, or else against one that is started for it. */
export async function withDemoService<T>(
  context: CommandContext,
  work: (stage: DemoService) => Promise<T>,
): Promise<T> {
  const settings = context.loadSettings();
  const url = await findRunningService(settings);
  if (url === null) return withTemporaryService(context, settings, work);
  return withCore(context, (core) => work({ url, core, about: 'the running service' }));
}
