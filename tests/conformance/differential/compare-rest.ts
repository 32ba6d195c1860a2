import { readFileSync } from 'node:fs';
import { PROBLEM_TYPES } from '../../../src/http-core/index.js';
import { TestClient } from '../../support/http/test-client.js';
import type { Lane } from '../lanes.js';
import type { Finding } from '../suite.js';
import type { RestCase } from './rest-cases.js';
import { mask } from './send.js';
import type { World } from './world.js';

type Json = Readonly<Record<string, unknown>>;

/** What REST and GraphQL have in common. */
interface Outcome {
  readonly status: number;
  readonly code?: unknown;
  readonly reason?: unknown;
  readonly body?: unknown;
}

const OPERATIONS = ['accounts', 'groups']
  .map((name) => readFileSync(new URL(`../../../schema/operations/${name}.graphql`, import.meta.url), 'utf8'))
  .join('\n');

/**
 * Sends a request of REST, and its operation by GraphQL in another world, so that both find the same state.
 *
 * @returns the difference; null when both have the same outcome
 */
export async function compareRest(
  each: RestCase,
  lane: Lane,
  worlds: { readonly rest: World; readonly graphql: World },
): Promise<Finding | null> {
  const operation = await runOperation(each, lane, worlds.graphql);
  const expected = toText(operation);
  const actual = toText(await runRequest(each, lane, worlds.rest, Object.keys(operation.body ?? {})));
  return expected === actual ? null : { title: `REST ${each.title}`, reason: `GraphQL: ${expected}\nREST: ${actual}` };
}

async function runOperation(each: RestCase, lane: Lane, world: World): Promise<Outcome> {
  const client = new TestClient(lane.url, world.tokens[each.caller]);
  const query = documentOf(each.operation);
  const { data, errors } = await client.graphql(query, each.variables(world));
  const error = errors?.[0];
  if (error !== undefined) return ofError(error.extensions);
  return { status: each.success, body: each.toBody(data as never) };
}

function ofError({ code, reason }: Json): Outcome {
  return { status: PROBLEM_TYPES.find((type) => type.code === code)?.status ?? 0, code, reason };
}

async function runRequest(each: RestCase, lane: Lane, world: World, members: readonly string[]): Promise<Outcome> {
  const { method, path, body: json } = each.request(world);
  const client = new TestClient(lane.url, world.tokens[each.caller]);
  const { status, body } = await client.send(method, path, json === undefined ? {} : { json });
  const { code, reason, ...others } = body as Json;
  if (status >= 400) return { status, code, reason };
  return { status, body: Object.fromEntries(members.map((name) => [name, comparable(name, others[name])])) };
}

/** Of a member of a group, REST has more than is compared. */
function comparable(name: string, value: unknown): unknown {
  if (name === 'members') return (value as readonly Json[]).map(({ user_id, username }) => ({ user_id, username }));
  return name === 'token_type' ? String(value).toLowerCase() : value;
}

/** One operation of the file, without the others, which would count against the limits. */
function documentOf(operation: string): string {
  const text = new RegExp(`^(query|mutation) ${operation}\\b[^]*?^}`, 'm').exec(OPERATIONS)?.[0];
  if (text === undefined) throw new Error(`schema/operations has no operation ${operation}`);
  return text;
}

function toText(outcome: Outcome): string {
  return mask(JSON.stringify(outcome));
}
