import { readdirSync, readFileSync } from 'node:fs';

/** A tick of /proc is 10 ms on every Linux that Node supports. */
const MS_PER_TICK = 10;
const NS = /^.*\) /;

/** Fields of /proc/<pid>/stat after the name of the program. Null for a process that has ended. */
function statOf(pid: number): string[] | null {
  try {
    return readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
      .replace(NS, '')
      .split(' ');
  } catch {
    return null;
  }
}

/** Milliseconds of processor time that a process has used, on Linux. */
export function processorMs(pid: number): number {
  const stat = statOf(pid);
  return stat === null ? 0 : (Number(stat[11]) + Number(stat[12])) * MS_PER_TICK;
}

/** The same of PostgreSQL: its running processes, and those that have ended. */
export function postgresProcessorMs(postmaster: number): number {
  let total = 0;
  for (const entry of readdirSync('/proc')) {
    const stat = /^\d+$/.test(entry) ? statOf(Number(entry)) : null;
    if (stat?.[1] === String(postmaster)) total += (Number(stat[11]) + Number(stat[12])) * MS_PER_TICK;
  }
  const own = statOf(postmaster);
  return own === null ? total : total + (Number(own[13]) + Number(own[14])) * MS_PER_TICK;
}

export interface Memory {
  readonly residentMiB: number;
  readonly peakMiB: number;
}

export function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  const mebibytes = (name: string): number =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1_024);
  return { residentMiB: mebibytes('VmRSS'), peakMiB: mebibytes('VmHWM') };
}
