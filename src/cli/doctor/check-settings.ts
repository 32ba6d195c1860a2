import { ConfigError, type Settings } from '../../config/index.js';
import type { CheckResult } from './check-result.js';

export interface SettingsCheck {
  readonly finding: CheckResult;
  /** Null when they cannot be used. */
  readonly settings: Settings | null;
}

export function checkSettings(loadSettings: () => Settings): SettingsCheck {
  try {
    const settings = loadSettings();
    return {
      settings,
      finding: { about: 'Settings', state: 'fine', text: `for ${settings.NODE_ENV}, on port ${settings.PORT}` },
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return {
      settings: null,
      finding: {
        about: 'Settings',
        state: 'wrong',
        text: `${error.message}\nEach one is explained in docs/configuration.md.`,
      },
    };
  }
}
