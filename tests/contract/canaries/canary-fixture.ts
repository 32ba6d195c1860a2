import { createHash } from 'node:crypto';
import type { PasswordHasher } from '../../../src/accounts/index.js';
import type { EngineName } from '../../../src/graphql/engines/engine.js';
import { TestClient, type Request, type TestResponse } from '../../support/http/test-client.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { waitUntil } from '../../support/wait-until.js';
import { FailingMailer } from './failing-mailer.js';
import { IssuedSecrets } from './issued-secrets.js';
import { findMarks, NAME, SECRET } from './marks.js';
import { rawLog, type RawLog } from './raw-log.js';

/** Rate limits that count everything and reject nothing. */
const GENEROUS_LIMITS = Object.fromEntries(
  ['LOGIN', 'LOGIN_ADDRESS', 'LOGIN_NAME', 'REGISTER', 'RESET_ADDRESS', 'MAIL', 'INVITER', 'INVITEE'].map((name) => [
    `LIMIT_${name}`,
    '100000/1h',
  ]),
);

/** A fast hasher that, unlike that of other tests, does not repeat the password in the hash. */
const DIGEST_HASHER: PasswordHasher = {
  hash: (password) => Promise.resolve(digestOf(password)),
  verify: (hash, password) => Promise.resolve(hash === digestOf(password)),
  needsRehash: () => false,
};

const MAX_REPORTED = 5;

/** The names of secrets in successful responses. */
const ISSUED_SECRET = /"(accessToken|refreshToken|secret|access_token|refresh_token)":"([^"]+)"/g;

export interface CanaryRequest extends Request {
  readonly method: string;
  readonly path: string;
  /** The documented path that the request belongs to. */
  readonly route?: string;
}

/** A service, everything that was sent to it, and everywhere that sent values occur again. */
export class CanaryFixture {
  readonly service: TestService;
  readonly mailer: FailingMailer;
  readonly issued: IssuedSecrets;
  /** The number of successes by operation or path. */
  readonly succeeded = new Map<string, number>();
  /** The number of responses with an unexpected error. */
  unexpectedErrors = 0;
  readonly #repeated: string[] = [];
  #number = 0;
  #searched = 0;

  private constructor(
    service: TestService,
    mailer: FailingMailer,
    issued: IssuedSecrets,
    readonly log: RawLog,
  ) {
    this.service = service;
    this.mailer = mailer;
    this.issued = issued;
  }

  static async open(engine: EngineName): Promise<CanaryFixture> {
    const issued = new IssuedSecrets();
    const mailer = new FailingMailer(issued);
    const log = rawLog();
    const settings = { GRAPHQL_ENGINE: engine, RATE_LIMITS: 'on', TRUST_PROXY: 'loopback', ...GENEROUS_LIMITS };
    return new CanaryFixture(
      await startTestService({ settings, hasher: DIGEST_HASHER, mailer, log: log.log }),
      mailer,
      issued,
      log,
    );
  }

  get anonymous(): TestClient {
    return new TestClient(this.service.url);
  }

  /** Returns a different number each time. */
  number(): number {
    this.#number += 1;
    return this.#number;
  }

  async send(client: TestClient, { method, path, route, ...request }: CanaryRequest): Promise<TestResponse> {
    const response = await client.send(method, path, request);
    this.#judge(response, `${method} ${path} ${JSON.stringify(request)}`);
    if (route !== undefined && response.status < 300) this.#succeed(route);
    return response;
  }

  async graphql(client: TestClient, json: object, headers: Request['headers'] = {}): Promise<TestResponse> {
    const response = await this.send(client, { method: 'POST', path: '/graphql', json, headers });
    const { data, errors } = (response.body ?? {}) as { data?: object | null; errors?: unknown };
    if (errors === undefined) for (const field of Object.keys(data ?? {})) this.#succeed(field);
    return response;
  }

  async sql<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.service.database.pool.query<Row>(text, [...values]);
    return rows;
  }

  /** The secret of the last link that was mailed to an address, after all mails are sent. */
  async linkTo(address: string): Promise<string> {
    await this.waitForTasks();
    const secrets = this.mailer.sent
      .filter(({ to }) => to === address)
      .map(({ text }) => /#secret=([\w-]+)/.exec(text)?.[1]);
    const secret = secrets.findLast((each) => each !== undefined);
    if (secret === undefined) throw new Error(`no link was mailed to ${address}`);
    return secret;
  }

  /** Waits until every due task has been tried. */
  async waitForTasks(): Promise<void> {
    await waitUntil(
      'every task was tried',
      async () => (await this.sql(`select from outbox_task where due_at <= now() or status = 'RUNNING'`)).length === 0,
    );
    await this.service.accounts.apiKeyUsage.flush();
  }

  /** The places where sent values or issued secrets have occurred since the last call. */
  leaks(): { readonly logged: readonly string[]; readonly repeated: readonly string[] } {
    const text = this.log.text();
    const news = text.slice(this.#searched);
    this.#searched = text.length;
    return {
      logged: [...findMarks(news), ...this.issued.findIn(news)],
      repeated: this.#repeated.splice(0).slice(0, MAX_REPORTED),
    };
  }

  /** A response to a request that was hardly HTTP. */
  checkRawResponse(text: string): void {
    this.#repeated.push(...findMarks(text.replace(/"instance":"[^"]*"/, ''), SECRET));
  }

  #succeed(what: string): void {
    this.succeeded.set(what, (this.succeeded.get(what) ?? 0) + 1);
  }

  #judge({ status, headers, text, body }: TestResponse, about: string): void {
    const said = `${JSON.stringify(Object.fromEntries(headers))} ${withoutInstance(body, text)}`;
    const isRefusal = status >= 400 || text.startsWith('{"errors":');
    if (text.includes('"INTERNAL"')) this.unexpectedErrors += 1;
    const repeats = isRefusal
      ? [...findMarks(said.replaceAll(NAME, '')), ...this.issued.findIn(said)]
      : findMarks(said, SECRET);
    this.#repeated.push(...repeats.map((repeat) => `${repeat} after ${about.slice(0, 300)}`));
    if (!isRefusal)
      for (const [, kind = '', secret = ''] of text.matchAll(ISSUED_SECRET)) this.issued.add(kind, secret);
  }
}

/** A problem contains the requested path (RFC 9457). Nothing else may be repeated. */
function withoutInstance(body: unknown, text: string): string {
  return typeof body === 'object' && body !== null && 'instance' in body
    ? JSON.stringify({ ...body, instance: '' })
    : text;
}

function digestOf(password: string): string {
  return createHash('sha256').update(password).digest('hex');
}
