import { HASHED, OPERATIONS, READS, type Exchange, type Operation } from '../exchanges/exchange.js';
import { CONNECTIONS, GRAPHQL, REFERENCE, REST } from '../report/results.js';
import type { Subject } from '../subjects/subject.js';

export interface Durations {
  readonly rounds: number;
  /** Seconds of one measurement. */
  readonly seconds: number;
  /** Seconds of load before the first measurement of a subject and operation, and before each later one. */
  readonly warmUpSeconds: number;
  readonly rewarmSeconds: number;
  /** Seconds with one connection. */
  readonly aloneSeconds: number;
  readonly floodSeconds: number;
  /** Starts of each program of ours. */
  readonly starts: number;
}

export const FULL: Durations = {
  rounds: 5,
  seconds: 1.8,
  warmUpSeconds: 1.5,
  rewarmSeconds: 0.5,
  aloneSeconds: 0.8,
  floodSeconds: 2,
  starts: 3,
};

export const QUICK: Durations = {
  rounds: 3,
  seconds: 0.9,
  warmUpSeconds: 0.5,
  rewarmSeconds: 0.2,
  aloneSeconds: 0.4,
  floodSeconds: 1.5,
  starts: 1,
};

/** One measurement of one subject. */
export interface LoadStep {
  readonly kind: 'load';
  readonly operation: Operation;
  readonly subject: Subject;
  readonly exchange: Exchange;
  readonly connections: number;
  readonly round: number;
  /** 0: none. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

/** `me` on an idle subject and during a flood of logins. */
export interface FloodStep {
  readonly kind: 'flood';
  readonly operation: 'login';
  readonly subject: Subject;
  readonly round: number;
  /** Of each of the two. */
  readonly seconds: number;
}

export type Step = LoadStep | FloodStep;

const OURS: readonly string[] = [REFERENCE, REST, GRAPHQL];

/** The steps of each operation: its subjects in turn in each round, so that a ratio compares neighbours in time. */
export function scheduleOf(
  operations: readonly Operation[],
  subjects: readonly Subject[],
  durations: Durations,
): Map<Operation, Step[]> {
  return new Map(
    OPERATIONS.filter((operation) => operations.includes(operation)).map((operation) => [
      operation,
      [
        ...loadSteps(operation, subjects, durations),
        ...(READS.includes(operation) ? aloneSteps(operation, subjects, durations) : []),
        ...(operation === 'login' ? floodSteps(subjects, durations) : []),
      ],
    ]),
  );
}

export function secondsOf(step: Step): number {
  return step.kind === 'load' ? step.warmUpSeconds + step.seconds : 2 * step.seconds;
}

function loadSteps(operation: Operation, subjects: readonly Subject[], durations: Durations): LoadStep[] {
  const { seconds, warmUpSeconds } = durations;
  // Every load waits for its last answers, which takes seconds at some programs.
  const rewarmSeconds = HASHED.includes(operation) ? 0 : durations.rewarmSeconds;
  return stepsInRounds(operation, subjects, durations.rounds, (round) => ({
    connections: CONNECTIONS,
    seconds,
    warmUpSeconds: round === 1 ? warmUpSeconds : rewarmSeconds,
  }));
}

function aloneSteps(operation: Operation, subjects: readonly Subject[], durations: Durations): LoadStep[] {
  const ours = subjects.filter(({ name }) => OURS.includes(name));
  const { aloneSeconds: seconds, rewarmSeconds: warmUpSeconds } = durations;
  return stepsInRounds(operation, ours, durations.rounds, () => ({ connections: 1, seconds, warmUpSeconds }));
}

function stepsInRounds(
  operation: Operation,
  subjects: readonly Subject[],
  rounds: number,
  load: (round: number) => Pick<LoadStep, 'connections' | 'seconds' | 'warmUpSeconds'>,
): LoadStep[] {
  return roundsTo(rounds).flatMap((round) =>
    subjects.flatMap((subject) => {
      const exchange = subject.exchanges[operation];
      return exchange === undefined ? [] : [{ kind: 'load', operation, subject, exchange, round, ...load(round) }];
    }),
  );
}

function floodSteps(subjects: readonly Subject[], { rounds, floodSeconds }: Durations): FloodStep[] {
  const flooded = subjects.filter(({ name }) => name === REFERENCE || name === REST);
  return roundsTo(rounds).flatMap((round) =>
    flooded.map((subject) => ({ kind: 'flood', operation: 'login', subject, round, seconds: floodSeconds }) as const),
  );
}

function roundsTo(rounds: number): number[] {
  return Array.from({ length: rounds }, (_, index) => index + 1);
}
