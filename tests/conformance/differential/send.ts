import type { Lane } from '../lanes.js';
import type { GraphqlCase, Parameters } from './case.js';
import type { World } from './world.js';

export type Method = 'POST' | 'GET';

/** A response without the values that differ between requests, such as ids and times. */
export interface ComparableResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON with its members in order, or the text. */
  readonly body: unknown;
}

const HEADERS = [
  'content-type',
  'cache-control',
  'allow',
  'vary',
  'www-authenticate',
  'retry-after',
  'etag',
  'location',
];
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi, '<id>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>'],
  [/\bp-[\da-f]{12}/g, '<name>'],
  [/\bcvn[r]?_[\w-]+/g, '<secret>'],
  // Ids of Relay and cursors, which contain ids.
  [/"(id|after|endCursor)":"[\w=+/-]{24,}"/g, '"$1":"<opaque>"'],
  // Lists of the whole service, which grow while the lanes run.
  [/"totalCount":\d+/g, '"totalCount":"<count>"'],
  [/"apiKeys":\[[^\]]*\]/g, '"apiKeys":"<list>"'],
  [/^retry: \d+$/gm, 'retry: <ms>'],
];

export async function send(each: GraphqlCase, method: Method, lane: Lane, world: World): Promise<ComparableResponse> {
  const token = world.tokens[each.caller];
  const headers = { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...each.headers };
  const parameters = each.parameters(world);
  const url = `${lane.url}/graphql`;
  const response =
    method === 'GET'
      ? await fetch(url + queryOf(parameters), { headers })
      : await fetch(url, {
          method,
          headers: { 'content-type': 'application/json', ...headers },
          body: each.body ?? JSON.stringify(parameters),
        });
  return {
    status: response.status,
    headers: Object.fromEntries(HEADERS.map((name) => [name, response.headers.get(name) ?? ''])),
    body: parse(mask(await response.text())),
  };
}

/** Replaces the values that differ between worlds. */
export function mask(text: string): string {
  return MASKS.reduce((rest, [pattern, name]) => rest.replace(pattern, name), text);
}

/** The order of members has no meaning in JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) => (isObject(value) ? sortMembers(value) : value));
  } catch {
    return text;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sortMembers(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Texts are sent as they are, everything else as JSON. */
function queryOf(parameters: Parameters): string {
  const entries = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
  return `?${new URLSearchParams(entries).toString()}`;
}
