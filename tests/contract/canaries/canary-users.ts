import { grantAdmin } from '../../../src/accounts/index.js';
import { type Request, type TestClient } from '../../support/http/test-client.js';
import type { TestUser } from '../../support/service/test-users.js';
import { OPERATIONS, type OperationName } from '../operations.js';
import type { CanaryFixture } from './canary-fixture.js';
import { documentWithVariables, rootFields, type Values } from './documents.js';
import { SECRET, SHAPES, TEXT } from './marks.js';

const FIELDS = new Map(rootFields().map((root) => [root.field.name, root]));

/** Selections of operations for which the smallest selection is not enough. */
const SELECTIONS: Partial<Record<OperationName, string>> = {
  me: '{ id email export sessions { id userAgent address } followUps { name } }',
  issueToken: '{ accessToken refreshToken user { id } }',
  refreshToken: '{ accessToken refreshToken }',
  createApiKey: '{ secret apiKey { id } }',
  inviteToGroup: '{ results { outcome invitation { id } } }',
  users: '{ nodes { id email } }',
  followUps: '{ nodes { id lastError } }',
};

/** Runs an operation that must succeed, with the headers of `talkative`. */
export async function run<Result>(
  fixture: CanaryFixture,
  client: TestClient,
  name: OperationName,
  values: Values = {},
  headers: Request['headers'] = {},
): Promise<Result> {
  const root = FIELDS.get(name);
  if (root === undefined) throw new Error(`there is no ${name}`);
  const query = documentWithVariables(root, values, SELECTIONS[name] ?? OPERATIONS[name].selection);
  const { body, text } = await fixture.graphql(
    client,
    { query, variables: values },
    { ...markedHeaders(fixture), ...headers },
  );
  const { data } = body as { data?: Readonly<Record<string, Result | null>> | null };
  const result = data?.[name] ?? null;
  if (result === null) throw new Error(`${name} failed: ${text}`);
  return result;
}

/** Headers that must not be logged. The user agent is stored with its session. */
export function markedHeaders(fixture: CanaryFixture): Readonly<Record<string, string>> {
  const n = fixture.number();
  return {
    'user-agent': `${TEXT} browser ${n}\u0085\u009b2K`,
    'x-request-id': `${SECRET} ${n} is no id`,
    'x-forwarded-for': `${SECRET}-${n}`,
    cookie: `session=${SECRET}-${n}`,
    referer: `https://example.org/reset-password#secret=${SECRET}-${n}`,
    'idempotency-key': `${SECRET}-key-${n}`,
  };
}

export function passwordOf(name: string): string {
  return SHAPES.password(SECRET, name.length);
}

export function addressOf(name: string): string {
  return `${TEXT}-${name}@mail.example.org`;
}

/** A user with a marked name, password and address. */
export async function registerMarkedUser(fixture: CanaryFixture, name: string, values: Values = {}): Promise<TestUser> {
  const username = `${TEXT}-${name}`;
  const input = {
    username,
    password: passwordOf(name),
    displayName: `${TEXT} ${name}`,
    email: addressOf(name),
    ...values,
  };
  await run(fixture, fixture.anonymous, 'register', { input });
  return logIn(fixture, username, input.password);
}

export async function logIn(fixture: CanaryFixture, username: string, password: string): Promise<TestUser> {
  const {
    accessToken: token,
    user: { id },
  } = await run<{ accessToken: string; user: { id: string } }>(fixture, fixture.anonymous, 'issueToken', {
    input: { username, password },
  });
  return Object.assign(fixture.anonymous.with(token), { id, username, token });
}

/** Verifies an address by the link that was mailed to it. */
export async function verifyAddress(fixture: CanaryFixture, address: string): Promise<void> {
  await run(fixture, fixture.anonymous, 'verifyEmail', { input: { secret: await fixture.linkTo(address) } });
}

export async function registerMarkedAdmin(fixture: CanaryFixture, name: string): Promise<TestUser> {
  const admin = await registerMarkedUser(fixture, name);
  await grantAdmin(fixture.service.accounts, admin.username);
  await verifyAddress(fixture, addressOf(name));
  return admin;
}
