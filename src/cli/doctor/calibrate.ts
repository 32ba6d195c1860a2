import { calibrateArgon2, type CalibrationSample } from '../../accounts/index.js';
import type { Settings } from '../../config/index.js';
import { formatTable } from '../terminal/format-table.js';
import type { Terminal } from '../terminal/terminal.js';

const KIB_PER_MIB = 1_024;

/** Measures the time of hashing a password with several parameters, and prints the strongest acceptable settings. */
export async function calibrate(
  terminal: Terminal,
  settings: Pick<Settings, 'ARGON2_MEMORY_KIB' | 'ARGON2_PASSES'>,
): Promise<void> {
  terminal.report('Hashing passwords for a few seconds …');
  const { samples, proposal, totalMemoryKiB } = await calibrateArgon2();
  const { ARGON2_MEMORY_KIB: memoryKiB, ARGON2_PASSES: passes } = settings;
  terminal.print(formatTable([['MEMORY', 'PASSES', 'ONE PASSWORD'], ...samples.map(row)]));
  terminal.print(
    `\nProposed (a process takes up to ${mebibytes(totalMemoryKiB)} for it):\n  ` +
      `ARGON2_MEMORY_KIB=${proposal.memoryKiB}\n  ARGON2_PASSES=${proposal.passes}`,
  );
  terminal.print(
    `In force: ${mebibytes(memoryKiB)}, ${passes} passes. After a change, each login renews its account's hash ` +
      `where the new one is stronger.`,
  );
}

function row({ memoryKiB, passes, ms }: CalibrationSample): string[] {
  return [mebibytes(memoryKiB), String(passes), `${ms.toFixed(0)} ms`];
}

function mebibytes(kibibytes: number): string {
  return `${(kibibytes / KIB_PER_MIB).toFixed(0)} MiB`;
}
