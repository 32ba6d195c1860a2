import { grantAdmin } from '../../../src/accounts/index.js';
import { type Request, type TestClient } from '../../support/http/test-client.js';
import type { TestUser } from '../../support/service/test-users.js';
import { OPERATIONS, type OperationName } from '../operations.js';
import type { CanaryWorld } from './canary-fixture.js';
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
  world: CanaryWorld,
  by: TestClient,
  name: OperationName,
  values: Values = {},
  headers: Request['headers'] = {},
): Promise<Result> {
  const root = FIELDS.get(name);
  if (root === undefined) throw new Error(`there is no ${name}`);
  const query = documentWithVariables(root, values, SELECTIONS[name] ?? OPERATIONS[name].selection);
  const { body, text } = await world.graphql(by, { query, variables: values }, { ...talkative(world), ...headers });
  const { data } = body as { data?: Readonly<Record<string, Result | null>> | null };
  const result = data?.[name] ?? null;
  if (result === null) throw new Error(`${name} failed: ${text}`);
  return result;
}

/** Headers that must not be logged. The user agent is stored with its session. */
export function talkative(world: CanaryWorld): Readonly<Record<string, string>> {
  const n = world.number();
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
export async function enter(world: CanaryWorld, name: string, values: Values = {}): Promise<TestUser> {
  const username = `${TEXT}-${name}`;
  const input = {
    username,
    password: passwordOf(name),
    displayName: `${TEXT} ${name}`,
    email: addressOf(name),
    ...values,
  };
  await run(world, world.anyone, 'register', { input });
  return logIn(world, username, input.password);
}

export async function logIn(world: CanaryWorld, username: string, password: string): Promise<TestUser> {
  const {
    accessToken: token,
    user: { id },
  } = await run<{ accessToken: string; user: { id: string } }>(world, world.anyone, 'issueToken', {
    input: { username, password },
  });
  return Object.assign(world.anyone.with(token), { id, username, token });
}

/** Verifies an address by the link that was mailed to it. */
export async function prove(world: CanaryWorld, address: string): Promise<void> {
  await run(world, world.anyone, 'verifyEmail', { input: { secret: await world.linkTo(address) } });
}

export async function enterAsAdmin(world: CanaryWorld, name: string): Promise<TestUser> {
  const admin = await enter(world, name);
  await grantAdmin(world.service.accounts, admin.username);
  await prove(world, addressOf(name));
  return admin;
}
