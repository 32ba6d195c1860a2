import type { Settings } from '../../config/index.js';
import type { Terminal } from '../terminal/terminal.js';

/** Dependencies of every command. */
export interface CommandContext {
  readonly terminal: Terminal;
  /**
   * Called only by commands that need settings, so that `--help` works with invalid ones.
   *
   * @throws ConfigError when a setting is invalid
   */
  readonly loadSettings: () => Settings;
  /** Aborted by SIGINT, SIGTERM or SIGHUP. */
  readonly stop: AbortSignal;
}
