import { ConfigError, type Settings } from '../../config/index.js';
import type { CheckResult } from './check-result.js';

export interface SettingsCheck {
  readonly result: CheckResult;
  /** Null when they are invalid. */
  readonly settings: Settings | null;
}

export function checkSettings(loadSettings: () => Settings): SettingsCheck {
  try {
    const settings = loadSettings();
    return {
      settings,
      result: { subject: 'Settings', state: 'ok', text: `for ${settings.NODE_ENV}, on port ${settings.PORT}` },
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return {
      settings: null,
      result: {
        subject: 'Settings',
        state: 'error',
        text: `${error.message}\nEach one is explained in docs/configuration.md.`,
      },
    };
  }
}
