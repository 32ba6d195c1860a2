import type { CommandContext } from '../command-context.js';
import { withCore } from '../with-core.js';
import { onOwnService } from './own-service.js';
import { findRunningService } from './running-service.js';
import type { Stage } from './stage.js';

/** Runs the work against the running service, or else against one that is started for it. */
export async function onStage<T>(context: CommandContext, work: (stage: Stage) => Promise<T>): Promise<T> {
  const settings = context.loadSettings();
  const url = await findRunningService(settings);
  if (url === null) return onOwnService(context, settings, work);
  return withCore(context, (core) => work({ url, core, about: 'the running service' }));
}
