import { z } from 'zod';
import { poll } from '../../../async/poll.js';
import type { Terminal } from '../../terminal/terminal.js';
import { readFirstEvent } from './read-first-event.js';
import { sendDemoRequest, type DemoRequest, type DemoResponse } from './send-demo-request.js';
import { summarizeBody } from './summarize-body.js';

interface Step<T> {
  /** Heading of the step in the output. */
  readonly description: string;
  readonly token?: string;
  /** Schema of the expected response. */
  readonly expected: z.ZodType<T>;
}

export interface RestStep<T> extends Step<T>, Omit<DemoRequest, 'token'> {
  readonly status: number;
}

export interface GraphqlStep<T> extends Step<T> {
  readonly operation: string;
  readonly variables?: object;
  /** How long to repeat the request until the expected response, in milliseconds. Default 0: no repetition. */
  readonly timeoutMs?: number;
}

export interface SubscriptionStep<T> extends Omit<GraphqlStep<T>, 'timeoutMs'> {
  /** Runs while the stream is open. */
  readonly during: () => Promise<unknown>;
}

/** A response was not the expected one. Ends the demo, since later steps depend on it. */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';
}

const RETRY_INTERVAL_MS = 200;
const GRAPHQL_PATH = '/graphql';
/** Characters shown of an unexpected response. */
const MAX_ERROR_WIDTH = 1_000;
const NO_ERRORS = z.undefined().optional();

/** Sends the requests of the scenarios, prints them with their responses, and counts expected responses. */
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

  /** Prints a remark. */
  note(text: string): void {
    this.#terminal.print(this.#terminal.paint('dim', `    ${text}`));
  }

  /** @throws UnexpectedResponseError */
  async rest<T>({ description, status, expected, ...request }: RestStep<T>): Promise<T> {
    this.#begin(description, `${request.method} ${request.path}`, request.body);
    const response = await sendDemoRequest(this.#baseUrl, request);
    return this.#check(response, status, expected);
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
    const response = await poll(
      () => sendDemoRequest(this.#baseUrl, request),
      ({ body }) => right.safeParse(body).success,
      timeoutMs,
      RETRY_INTERVAL_MS,
    );
    return this.#check(response, 200, right);
  }

  /**
   * Subscribes, runs `during`, and checks the first event.
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
    const response = await readFirstEvent(this.#baseUrl, token, { query: operation, variables }, during);
    this.note('The event of the subscription:');
    return this.#check(
      response,
      200,
      z.object({ errors: NO_ERRORS, data: expected }).transform(({ data }) => data),
    );
  }

  #begin(description: string, target: string, body: object | undefined): void {
    this.#steps += 1;
    const sent = body instanceof URLSearchParams ? Object.fromEntries(body) : body;
    const { paint, print } = this.#terminal;
    print(`\n${String(this.#steps).padStart(2)}  ${paint('bold', description)}`);
    print(`    → ${target}${sent === undefined || Object.keys(sent).length === 0 ? '' : ` ${summarizeBody(sent)}`}`);
  }

  /** Prints the checked part of an expected response, or up to `MAX_ERROR_WIDTH` characters of another one. */
  #check<T>(response: DemoResponse, status: number, expected: z.ZodType<T>): T {
    const { paint, print } = this.#terminal;
    const checked = expected.safeParse(response.body);
    if (response.status === status && checked.success) {
      this.#right += 1;
      print(`    ← ${response.status} ${summarizeBody(checked.data)}  ${paint('green', 'right')}`);
      return checked.data;
    }
    print(`    ← ${response.status} ${summarizeBody(response.body, MAX_ERROR_WIDTH)}  ${paint('red', 'WRONG')}`);
    throw new UnexpectedResponseError(
      response.status === status && checked.error !== undefined
        ? z.prettifyError(checked.error)
        : `The status should have been ${status}.`,
    );
  }
}

function oneLine(operation: string): string {
  return operation.replace(/\s+/g, ' ').trim();
}
