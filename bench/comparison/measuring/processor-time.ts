import { readdirSync, readFileSync } from 'node:fs';

/** A tick of /proc is 10 ms on every Linux that Node supports. */
const MS_PER_TICK = 10;
const BEFORE_STATE = /^.*\) /;

/** The fields of /proc/<pid>/stat after the name of the program. */
interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  readonly ownMs: number;
  /** Of children that have ended. */
  readonly endedChildrenMs: number;
}

/** @returns null for a process that has ended */
function statOf(pid: number): ProcessStat | null {
  try {
    const fields = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
      .replace(BEFORE_STATE, '')
      .split(' ');
    const ms = (field: number): number => Number(fields[field]) * MS_PER_TICK;
    return { pid, parent: Number(fields[1]), ownMs: ms(11) + ms(12), endedChildrenMs: ms(13) + ms(14) };
  } catch {
    return null;
  }
}

/** A process and its running children: PostgreSQL's backends, the workers of a service. */
function familyOf(pid: number): ProcessStat[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => statOf(Number(entry)) ?? [])
    .filter((stat) => stat.pid === pid || stat.parent === pid);
}

/** Milliseconds of processor time that a process and its children have used, on Linux. */
export function processorMs(pid: number): number {
  return familyOf(pid).reduce((total, stat) => total + stat.ownMs + (stat.pid === pid ? stat.endedChildrenMs : 0), 0);
}

export interface Memory {
  readonly residentMiB: number;
  readonly peakMiB: number;
}

/** Of a process and its children. */
export function memoryOf(pid: number): Memory {
  const statuses = familyOf(pid).flatMap((stat) => statusOf(stat.pid) ?? []);
  const sum = (field: string): number =>
    Math.round(statuses.reduce((total, text) => total + kibOf(text, field), 0) / 1_024);
  return { residentMiB: sum('VmRSS'), peakMiB: sum('VmHWM') };
}

function statusOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  } catch {
    return null;
  }
}

function kibOf(status: string, field: string): number {
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
}
