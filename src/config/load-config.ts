import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { SETTINGS, type SettingName, type Settings } from './settings.js';

/** Names the faulty settings and what they may be, never their values: one of them may be a secret. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`Convene cannot start with these settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Names that may stand in `.env` for the tools around the service. */
const NAMES_OF_OTHERS = /^(npm_|NODE_OPTIONS$|TZ$|MIKRO_ORM_)/;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads every setting from the environment and from `.env`; the environment wins.
 *
 * @throws ConfigError for a malformed value, an unknown name in `.env`, or a combination that cannot work
 */
export function loadConfig(environment: Environment = process.env, folder = process.cwd()): Settings {
  const file = readEnvFile(join(folder, '.env'));
  const problems = Object.keys(file)
    .filter(isUnknown)
    .map((name) => `${name} in .env is not a setting of Convene`);
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const name of settingNames()) {
    const parsed = SETTINGS[name].schema.safeParse(emptyAsAbsent(environment[name] ?? file[name]));
    if (parsed.success) values[name] = parsed.data;
    else problems.push(`${name} ${parsed.error.issues[0]?.message ?? 'is not valid'}`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- each name was parsed by its own schema just above
  const settings = values as Settings;
  refuseContradictions(settings);
  return Object.freeze(settings);
}

export function settingNames(): SettingName[] {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the keys of a constant are its keys
  return Object.keys(SETTINGS) as SettingName[];
}

function isUnknown(name: string): boolean {
  return !Object.hasOwn(SETTINGS, name) && !NAMES_OF_OTHERS.test(name);
}

/** `PORT=` in a file or a container's environment means that nothing was chosen. */
function emptyAsAbsent(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

function readEnvFile(path: string): Environment {
  return existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {};
}

function refuseContradictions(settings: Settings): void {
  const problems: string[] = [];
  if (settings.NODE_ENV === 'production' && settings.SERVER_SECRET === null) {
    problems.push('SERVER_SECRET is required in production (openssl rand -base64 32)');
  }
  if (settings.JOBS_BACKEND === 'mongo' && settings.MONGODB_URI === null)
    problems.push('MONGODB_URI is required with JOBS_BACKEND=mongo');
  if (problems.length > 0) throw new ConfigError(problems);
}
