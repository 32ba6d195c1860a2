import type { CommandContext } from '../../execution/command-context.js';
import { withCore } from '../../execution/with-core.js';
import type { DemoService } from './demo-service.js';
import { findRunningService } from './find-running-service.js';
import { withTemporaryService } from './with-temporary-service.js';

/** Runs `work` against the running service, or against a temporary one when none runs. */
export async function withDemoService<T>(
  context: CommandContext,
  work: (service: DemoService) => Promise<T>,
): Promise<T> {
  const settings = context.loadSettings();
  const url = await findRunningService(settings);
  if (url === null) return withTemporaryService(context, settings, work);
  return withCore(context, (core) => work({ url, core, description: 'the running service' }));
}
