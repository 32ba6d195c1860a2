import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Terminal } from '../terminal.js';
import { firstEvent } from './first-event.js';
import { sendDemoRequest, type DemoRequest, type DemoResponse } from './send-demo-request.js';
import { summarizeBody } from './summarize-body.js';

interface Step<T> {
  /** Who does what, for whoever watches. */
  readonly description: string;
  readonly token?: string;
  /** What the right answer looks like. */
  readonly expected: z.ZodType<T>;
}

export interface RestStep<T> extends Step<T>, Omit<DemoRequest, 'token'> {
  readonly status: number;
}

export interface GraphqlStep<T> extends Step<T> {
  readonly operation: string;
  readonly variables?: object;
  /** How long to ask again and again for what takes its time; at once or never by default. */
  readonly timeoutMs?: number;
}

export interface SubscriptionStep<T> extends Omit<GraphqlStep<T>, 'patienceMs'> {
  /** What happens while the stream is open. */
  readonly during: () => Promise<unknown>;
}

/** An answer was not the right one; what follows would only stumble over that. */
export class UnexpectedResponseError extends Error {
  override readonly name = 'WrongAnswer';
}

const ASK_AGAIN_MS = 200;
const GRAPHQL_PATH = '/graphql';
/** Characters of an answer that is wrong. */
const MUCH = 1_000;
const NO_ERRORS = z.undefined().optional();

/** Sends what the scenes ask for, shows it with its answer, and counts which answers were right. */
export class DemoRunner {
  readonly #terminal: Terminal;
  readonly #baseUrl: string;
  #steps = 0;
  #right = 0;

  constructor(terminal: Terminal, baseUrl: string) {
    this.#terminal = terminal;
    this.#baseUrl = baseUrl;
  }

  get steps(): number {
    return this.#steps;
  }

  get right(): number {
    return this.#right;
  }

  /** A word to whoever watches. */
  note(text: string): void {
    this.#terminal.print(this.#terminal.paint('dim', `    ${text}`));
  }

  /** @throws UnexpectedResponseError */
  async rest<T>({ description, status, expected, ...request }: RestStep<T>): Promise<T> {
    this.#begin(description, `${request.method} ${request.path}`, request.body);
    const given = await sendDemoRequest(this.#baseUrl, request);
    return this.#judge(given, status, expected);
  }

  /** @throws UnexpectedResponseError */
  async graphql<T>({
    description,
    operation,
    variables = {},
    token,
    expected,
    timeoutMs = 0,
  }: GraphqlStep<T>): Promise<T> {
    this.#begin(description, `GraphQL ${oneLine(operation)}`, variables);
    const request = {
      method: 'POST',
      path: GRAPHQL_PATH,
      body: { query: operation, variables },
      ...(token === undefined ? {} : { token }),
    } as const;
    const right = z.object({ errors: NO_ERRORS, data: expected }).transform(({ data }) => data);
    const giveUpAt = Date.now() + timeoutMs;
    let given = await sendDemoRequest(this.#baseUrl, request);
    while (!right.safeParse(given.body).success && Date.now() < giveUpAt) {
      await delay(ASK_AGAIN_MS);
      given = await sendDemoRequest(this.#baseUrl, request);
    }
    return this.#judge(given, 200, right);
  }

  /**
   * Subscribes, does something, and judges the first event.
   *
   * @throws UnexpectedResponseError
   */
  async watch<T>({
    description,
    operation,
    variables = {},
    token = '',
    expected,
    during,
  }: SubscriptionStep<T>): Promise<T> {
    this.#begin(description, `GraphQL ${oneLine(operation)}`, variables);
    const given = await firstEvent(this.#baseUrl, token, { query: operation, variables }, during);
    this.note('What the watcher was told:');
    return this.#judge(
      given,
      200,
      z.object({ errors: NO_ERRORS, data: expected }).transform(({ data }) => data),
    );
  }

  #begin(description: string, what: string, body: object | undefined): void {
    this.#steps += 1;
    const sent = body instanceof URLSearchParams ? Object.fromEntries(body) : body;
    const { paint, print } = this.#terminal;
    print(`\n${String(this.#steps).padStart(2)}  ${paint('bold', description)}`);
    print(`    → ${what}${sent === undefined || Object.keys(sent).length === 0 ? '' : ` ${summarizeBody(sent)}`}`);
  }

  /** Of a right answer, what was looked at is shown; of a wrong one, as much as may help. */
  #judge<T>(given: DemoResponse, status: number, expected: z.ZodType<T>): T {
    const { paint, print } = this.#terminal;
    const judged = expected.safeParse(given.body);
    if (given.status === status && judged.success) {
      this.#right += 1;
      print(`    ← ${given.status} ${summarizeBody(judged.data)}  ${paint('green', 'right')}`);
      return judged.data;
    }
    print(`    ← ${given.status} ${summarizeBody(given.body, MUCH)}  ${paint('red', 'WRONG')}`);
    throw new UnexpectedResponseError(
      given.status === status && judged.error !== undefined
        ? z.prettifyError(judged.error)
        : `The status should have been ${status}.`,
    );
  }
}

function oneLine(operation: string): string {
  return operation.replace(/\s+/g, ' ').trim();
}
