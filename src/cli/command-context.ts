import type { Settings } from '../config/index.js';
import type { Terminal } from './terminal.js';

/** What every command is given. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** Called only by commands that need settings, so that help is given whatever they are. @throws ConfigError */
  readonly loadSettings: () => Settings;
  /** Aborted when the command is to end early. */
  readonly stop: AbortSignal;
}
