import { cpus } from 'node:os';
import { BenchError } from './bench-error.js';
import { runSql, type BenchServer } from './database.js';
import type { Operation } from './exchanges/exchange.js';
import {
  requireAccessChecks,
  requireEqualAnswers,
  requireExactGroups,
  requireRegisteredAccounts,
  requireRightAnswers,
  waitForFollowUps,
  type CheckTime,
} from './measuring/checks.js';
import { Measurer } from './measuring/measurer.js';
import { Progress } from './measuring/progress.js';
import { scheduleOf, type Durations, type Step } from './measuring/schedule.js';
import {
  REFERENCE,
  REST,
  type FloodMeasurement,
  type Measurement,
  type MissingSubject,
  type Results,
} from './report/results.js';
import { firstLineOf } from './subjects/first-line-of.js';
import { wrongPlainCounts } from './subjects/peer-subjects.js';
import type { RunningPrograms } from './subjects/running-programs.js';
import { SERVICE_SETTINGS } from './subjects/service-subjects.js';
import type { Subject } from './subjects/subject.js';

const FOLLOW_UPS_LIMIT_MS = 60_000;

export interface ComparisonOptions {
  readonly server: BenchServer;
  readonly programs: RunningPrograms;
  readonly subjects: readonly Subject[];
  readonly operations: readonly Operation[];
  readonly durations: Durations;
  /** Aborted when the benchmark is interrupted. */
  readonly signal: AbortSignal;
}

/** Measures the subjects. A failed operation of another program is reported, and the others are measured. */
export class Comparison {
  readonly #options: ComparisonOptions;
  readonly #measurer: Measurer;
  readonly #missing: MissingSubject[];
  readonly #measurements: Measurement[] = [];
  readonly #floods: FloodMeasurement[] = [];

  constructor(options: ComparisonOptions, missing: readonly MissingSubject[]) {
    const { server, programs, signal } = options;
    this.#options = options;
    this.#measurer = new Measurer(server.postmaster, (port) => programs.pidOf(port), signal);
    this.#missing = [...missing];
  }

  async run(): Promise<Results> {
    const { operations, subjects, durations, programs } = this.#options;
    const schedule = scheduleOf(operations, subjects, durations);
    const progress = new Progress([...schedule.values()].flat());
    for (const [operation, steps] of schedule) await this.#runOperation(operation, steps, progress);
    await this.#checkRows();
    return this.#results(await programs.figures());
  }

  async #runOperation(operation: Operation, steps: readonly Step[], progress: Progress): Promise<void> {
    const subjects = [...new Set(steps.map(({ subject }) => subject))];
    for (const subject of subjects) await this.#check(subject, operation, 'before');
    await this.#compareAnswers(operation);
    for (const step of steps) progress.report(step, await this.#runStep(step));
    for (const subject of subjects) await this.#check(subject, operation, 'after');
    this.#measurer.forgetRequests();
  }

  async #compareAnswers(operation: Operation): Promise<void> {
    const { subjects } = this.#options;
    const reference = subjects.find(({ name }) => name === REFERENCE);
    const service = subjects.find(({ name }) => name === REST);
    if (reference !== undefined && service !== undefined) await requireEqualAnswers(reference, service, operation);
  }

  async #check(subject: Subject, operation: Operation, time: CheckTime): Promise<void> {
    if (this.#isMissing(subject, operation)) return;
    await this.#attempt(subject, operation, async () => {
      await requireRightAnswers(this.#measurer, subject, operation, time);
      if (time === 'before') await requireAccessChecks(subject, operation);
    });
  }

  async #runStep(step: Step): Promise<string> {
    const { subject, operation } = step;
    if (this.#isMissing(subject, operation)) return 'not measured';
    const figures = await this.#attempt(subject, operation, () => this.#measure(step));
    return figures ?? 'failed';
  }

  async #measure(step: Step): Promise<string> {
    if (step.kind === 'flood') {
      const flood = await this.#measurer.measureFlood(step);
      this.#floods.push(flood);
      return `99th percentile ${String(flood.idleP99)} ms idle, ${String(flood.floodP99)} ms`;
    }
    const measurement = await this.#measurer.measureLoad(step);
    this.#measurements.push(measurement);
    if (step.operation === 'register' && step.subject.name !== REFERENCE && step.subject.isRequired)
      await waitForFollowUps(step.subject, FOLLOW_UPS_LIMIT_MS);
    const { perSecond, serviceMicros, postgresMicros, p99 } = measurement;
    return (
      `${perSecond.toFixed(0)}/s, ${String(serviceMicros)} µs and ${String(postgresMicros)} µs of PostgreSQL, ` +
      `99th percentile ${p99.toFixed(1)} ms`
    );
  }

  /** @returns null when the work failed and the subject is not required */
  async #attempt<T>(subject: Subject, operation: Operation, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      this.#options.signal.throwIfAborted();
      const reason = firstLineOf(error);
      if (subject.isRequired) throw new BenchError(`${subject.name}, ${operation}: ${reason}`, { cause: error });
      this.#missing.push({ subject: subject.name, operation, reason });
      return null;
    }
  }

  #isMissing({ name }: Subject, operation: Operation): boolean {
    return this.#missing.some((entry) => entry.subject === name && entry.operation === operation);
  }

  async #checkRows(): Promise<void> {
    for (const subject of this.#programsOnce()) {
      if (subject.isRequired) {
        await requireExactGroups(subject);
        await requireRegisteredAccounts(subject, this.#measurer.answered(subject, 'register'));
      } else if (subject.command.some((file) => /(mercurius|apollo|postgraphile)\.mjs$/.test(file))) {
        await this.#attempt(subject, 'status', () => requirePlainCounts(subject));
      }
    }
  }

  /** One subject of each process. */
  #programsOnce(): Subject[] {
    return [...new Map(this.#options.subjects.toReversed().map((subject) => [subject.port, subject])).values()];
  }

  async #results(processes: Results['processes']): Promise<Results> {
    const { server, subjects, durations } = this.#options;
    const measured = this.#measurements.filter(
      ({ subject, operation }) =>
        !this.#missing.some((entry) => entry.subject === subject && entry.operation === operation),
    );
    return {
      measuredAt: new Date().toISOString(),
      node: process.version,
      postgres: await postgresVersion(server.adminUrl),
      processor: `${String(cpus().length)} × ${cpus()[0]?.model ?? 'unknown'}`,
      rounds: durations.rounds,
      seconds: durations.seconds,
      settings: SERVICE_SETTINGS,
      descriptions: Object.fromEntries(subjects.map(({ name, description }) => [name, description])),
      processes,
      measurements: measured,
      floods: this.#floods,
      missing: this.#missing,
    };
  }
}

async function requirePlainCounts({ databaseUrl }: Subject): Promise<void> {
  const wrong = await wrongPlainCounts(databaseUrl);
  if (wrong > 0) throw new Error(`${String(wrong)} groups have a wrong counter afterwards`);
}

async function postgresVersion(url: string): Promise<string> {
  const [row] = await runSql<{ server_version: string }>(url, 'show server_version');
  return row?.server_version ?? '';
}
