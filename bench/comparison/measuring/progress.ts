import { secondsOf, type Step } from './schedule.js';

/** Checks and pauses between two steps. */
const SECONDS_BETWEEN = 0.25;

/** Prints a line for each step: its number, the time left and its figures. */
export class Progress {
  #done = 0;
  #secondsLeft: number;
  readonly #total: number;

  constructor(steps: readonly Step[]) {
    this.#total = steps.length;
    this.#secondsLeft = steps.reduce((total, step) => total + secondsOf(step) + SECONDS_BETWEEN, 0);
  }

  report(step: Step, figures: string): void {
    this.#done += 1;
    this.#secondsLeft -= secondsOf(step) + SECONDS_BETWEEN;
    const place = `${String(this.#done)} of ${String(this.#total)}, ${timeOf(this.#secondsLeft)} left`;
    console.log(`[${place}] ${nameOf(step)}: ${figures}`);
  }
}

function nameOf(step: Step): string {
  const { operation, subject, round } = step;
  const what = step.kind === 'flood' ? 'me during logins' : operation;
  const connections = step.kind === 'load' && step.connections === 1 ? ', 1 connection' : '';
  return `${what}${connections}, round ${String(round)}, ${subject.name}`;
}

function timeOf(seconds: number): string {
  return seconds < 90 ? `${String(Math.max(0, Math.round(seconds)))} s` : `${String(Math.round(seconds / 60))} min`;
}
