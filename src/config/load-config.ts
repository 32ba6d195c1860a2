import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { SETTINGS, type SettingName, type Settings } from './settings.js';

/** Lists the invalid settings and their allowed values. Never contains a value, which may be a secret. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`Convene cannot start with these settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Names of other tools, which are allowed in `.env`. */
const FOREIGN_NAMES = /^(npm_|NODE_OPTIONS$|TZ$|MIKRO_ORM_)/;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads every setting from the environment and from `.env`. The environment takes precedence.
 *
 * @param folder folder of `.env`
 * @throws ConfigError for a malformed value, an unknown name in `.env`, or contradictory settings
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
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- each value was parsed by its own schema
  const settings = values as Settings;
  rejectContradictions(settings);
  return Object.freeze(settings);
}

export function settingNames(): SettingName[] {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the keys of a constant are its keys
  return Object.keys(SETTINGS) as SettingName[];
}

function isUnknown(name: string): boolean {
  return !Object.hasOwn(SETTINGS, name) && !FOREIGN_NAMES.test(name);
}

/** Files and container environments write an unset value as `PORT=`. */
function emptyAsAbsent(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

function readEnvFile(path: string): Environment {
  return existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {};
}

function rejectContradictions(settings: Settings): void {
  const problems: string[] = [];
  if (settings.NODE_ENV === 'production' && settings.SERVER_SECRET === null) {
    problems.push('SERVER_SECRET is required in production (openssl rand -base64 32)');
  }
  if (settings.JOBS_BACKEND === 'mongo' && settings.MONGODB_URI === null)
    problems.push('MONGODB_URI is required with JOBS_BACKEND=mongo');
  if (settings.DATABASE_URL === null && (settings.DATABASE_POOLER !== 'none' || settings.DATABASE_DIRECT_URL !== null))
    problems.push('DATABASE_URL is required with DATABASE_POOLER or DATABASE_DIRECT_URL');
  if (settings.TRUSTED_DOCUMENTS_ONLY && settings.GRAPHIQL === true)
    problems.push('GRAPHIQL must be off with TRUSTED_DOCUMENTS_ONLY=on, which rejects what visitors write in it');
  if (problems.length > 0) throw new ConfigError(problems);
}
