import { setTimeout as delay } from 'node:timers/promises';
import { memoryOf } from '../measuring/processor-time.js';
import type { MissingSubject, ProcessFigures } from '../report/results.js';
import { firstLineOf } from './first-line-of.js';
import { startSubject, type RunningSubject } from './running-subject.js';
import type { Subject } from './subject.js';

const IDLE_MS = 2_000;

interface Program {
  readonly process: RunningSubject;
  readonly subject: string;
  readonly startMs: readonly number[];
  readonly idleMiB: number;
}

/** The started programs, by their port. */
export class RunningPrograms {
  readonly #programs = new Map<number, Program>();
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * Starts each program once for all of its subjects.
   *
   * @param starts how often a required program is started; it is stopped in between
   * @returns the subjects whose program did not start
   * @throws Error when a required program does not start
   */
  async startAll(subjects: readonly Subject[], starts: number): Promise<MissingSubject[]> {
    const missing: MissingSubject[] = [];
    for (const subject of subjects) {
      if (this.#programs.has(subject.port)) continue;
      this.#signal.throwIfAborted();
      try {
        await this.#start(subject, subject.isRequired ? starts : 1);
      } catch (error) {
        if (subject.isRequired) throw error;
        missing.push({ subject: subject.name, operation: null, reason: firstLineOf(error) });
        console.log(`${subject.name} cannot be measured: ${firstLineOf(error)}`);
      }
    }
    return missing;
  }

  isRunning(port: number): boolean {
    return this.#programs.has(port);
  }

  pidOf(port: number): number {
    const program = this.#programs.get(port);
    if (program === undefined) throw new Error(`No program runs on port ${String(port)}`);
    return program.process.pid;
  }

  /** Of all programs, 2 s after the last request. */
  async figures(): Promise<ProcessFigures[]> {
    await delay(IDLE_MS);
    return [...this.#programs.values()].map(({ process, subject, startMs, idleMiB }) => {
      const { residentMiB, peakMiB } = memoryOf(process.pid);
      return { subject, startMs, idleMiB, afterLoadMiB: residentMiB, peakMiB };
    });
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#programs.values()].map(({ process }) => process.stop()));
    this.#programs.clear();
  }

  async #start(subject: Subject, starts: number): Promise<void> {
    const startMs: number[] = [];
    let process: RunningSubject | null = null;
    while (startMs.length < starts) {
      await process?.stop();
      process = await startSubject(subject, this.#signal);
      startMs.push(Math.round(process.startMs));
      this.#programs.set(subject.port, { process, subject: subject.name, startMs, idleMiB: 0 });
    }
    if (process === null) return;
    await delay(IDLE_MS, undefined, { signal: this.#signal });
    const idleMiB = memoryOf(process.pid).residentMiB;
    this.#programs.set(subject.port, { process, subject: subject.name, startMs, idleMiB });
    console.log(`${subject.name}: answers after ${startMs.join(', ')} ms, ${String(idleMiB)} MiB idle`);
  }
}
