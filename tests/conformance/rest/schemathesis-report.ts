import { readFile } from 'node:fs/promises';

/** A check that failed, with the response that it was about. */
export interface FailedCheck {
  /** Method and path template. */
  readonly operation: string;
  readonly check: string;
  readonly message: string;
  readonly status: number;
  /** The body of the response as text. */
  readonly body: string;
  /** By name in lower case. */
  readonly requestHeaders: Readonly<Record<string, string>>;
}

export interface SchemathesisReport {
  /** Requests that were sent. */
  readonly cases: number;
  /** Checks that held. */
  readonly held: number;
  readonly failed: readonly FailedCheck[];
  /** Errors of Schemathesis itself. */
  readonly errors: readonly string[];
  readonly isComplete: boolean;
}

interface Check {
  readonly name: string;
  readonly status: string;
  readonly failure_info?: { readonly failure: { readonly title: string; readonly message: string } };
}

interface Interaction {
  readonly request: { readonly headers: Readonly<Record<string, readonly string[]>> };
  readonly response: { readonly status_code: number; readonly content?: { readonly $base64?: string } } | null;
}

interface Recorder {
  readonly label: string;
  readonly checks?: Readonly<Record<string, readonly Check[]>>;
  readonly interactions?: Readonly<Record<string, Interaction>>;
}

interface Event {
  readonly ScenarioFinished?: { readonly recorder: Recorder };
  readonly NonFatalError?: object;
  readonly FatalError?: object;
  readonly EngineFinished?: { readonly stop_reason: string };
}

/**
 * Reads a report in the format NDJSON. Unlike the printed summary, it has every failure, also those of the same kind as
 * an earlier one.
 */
export async function readSchemathesisReport(file: string): Promise<SchemathesisReport> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  const events = lines.map((line) => JSON.parse(line) as Event);
  const recorders = events.flatMap(({ ScenarioFinished }) => (ScenarioFinished ? [ScenarioFinished.recorder] : []));
  const checks = recorders.flatMap(checksOf);
  return {
    cases: recorders.reduce((sum, { interactions = {} }) => sum + Object.keys(interactions).length, 0),
    held: checks.filter((check) => check === null).length,
    failed: checks.filter((check) => check !== null),
    errors: events.filter((event) => event.NonFatalError ?? event.FatalError).map((event) => JSON.stringify(event)),
    isComplete: events.some(({ EngineFinished }) => EngineFinished?.stop_reason === 'completed'),
  };
}

/** Returns null for each check that held. */
function checksOf({ label, checks = {}, interactions = {} }: Recorder): (FailedCheck | null)[] {
  return Object.entries(checks).flatMap(([id, results]) =>
    results.map((check) => (check.status === 'success' ? null : describeFailure(label, check, interactions[id]))),
  );
}

function describeFailure(operation: string, check: Check, interaction?: Interaction): FailedCheck {
  const response = interaction?.response;
  const headers = Object.entries(interaction?.request.headers ?? {});
  const failure = check.failure_info?.failure;
  return {
    operation,
    check: check.name,
    message: failure === undefined ? '' : `${failure.title}: ${failure.message}`,
    status: response?.status_code ?? 0,
    body: Buffer.from(response?.content?.$base64 ?? '', 'base64').toString(),
    requestHeaders: Object.fromEntries(headers.map(([name, values]) => [name.toLowerCase(), values.join(', ')])),
  };
}
