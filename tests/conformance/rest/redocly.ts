import { createRequire } from 'node:module';
import { runProgram, type ProgramResult } from './run-program.js';

const REDOCLY = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');
const OFFLINE = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

export function runRedocly(...args: readonly string[]): Promise<ProgramResult> {
  return runProgram(process.execPath, [REDOCLY, ...args], { environment: OFFLINE });
}
