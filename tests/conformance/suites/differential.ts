import PQueue from 'p-queue';
import type { GraphqlCase } from '../differential/case.js';
import { compareRest } from '../differential/compare-rest.js';
import { ACCEPTED, REJECTED } from '../differential/operation-cases.js';
import { REQUESTS } from '../differential/request-cases.js';
import { REST_CASES } from '../differential/rest-cases.js';
import { send, type ComparableResponse, type Method } from '../differential/send.js';
import { createExpiredToken, createWorld } from '../differential/world.js';
import { lanesOf, type Lane } from '../lanes.js';
import type { Finding, Services, Suite, SuiteResult } from '../suite.js';

const CONCURRENCY = 8;

/** Sends the same requests on each lane by each method, and those that REST has a path for by REST; compares all. */
export const differential: Suite = {
  name: 'differential',
  packages: [],
  async run(services) {
    const expired = await createExpiredToken(services);
    const lanes = lanesOf(services);
    const [reference, ...others] = await Promise.all(lanes.map((lane) => runLane(lane, services, expired)));
    if (reference === undefined) throw new Error('there is no lane');
    return toResult([
      ...compareMethods(reference),
      ...others.flatMap((other) => compareLanes(reference, other)),
      ...(await runRest(lanes[0], services, expired)),
    ]);
  },
};

type Responses = ReadonlyMap<GraphqlCase, ComparableResponse>;

interface LaneResponses {
  readonly lane: Lane;
  readonly byMethod: Readonly<Record<Method, Responses>>;
}

/** The difference of two responses; null when they are the same. */
type Comparison = Finding | null;

async function runLane(lane: Lane, services: Services, expired: string): Promise<LaneResponses> {
  return {
    lane,
    byMethod: {
      POST: await runMethod('POST', lane, services, expired),
      GET: await runMethod('GET', lane, services, expired),
    },
  };
}

/** Requests that change nothing run concurrently; the others in their order, in a world of their own. */
async function runMethod(method: Method, lane: Lane, services: Services, expired: string): Promise<Responses> {
  const world = await createWorld(lane, services.databaseUrl, expired);
  const responses = new Map<GraphqlCase, ComparableResponse>();
  const run = async (each: GraphqlCase): Promise<void> => {
    responses.set(each, await send(each, method, lane, world));
  };
  const queue = new PQueue({ concurrency: CONCURRENCY });
  await queue.addAll(casesOf(method, [...REQUESTS, ...REJECTED]).map((each) => () => run(each)));
  for (const each of casesOf(method, ACCEPTED)) await run(each);
  return responses;
}

/** In their order, because some change the groups of the two worlds. */
async function runRest(lane: Lane, { databaseUrl }: Services, expired: string): Promise<Comparison[]> {
  const worlds = {
    rest: await createWorld(lane, databaseUrl, expired),
    graphql: await createWorld(lane, databaseUrl, expired),
  };
  const comparisons: Comparison[] = [];
  for (const each of REST_CASES) comparisons.push(await compareRest(each, lane, worlds));
  return comparisons;
}

function casesOf(method: Method, cases: readonly GraphqlCase[]): readonly GraphqlCase[] {
  return cases.filter(({ body }) => body === undefined || method === 'POST');
}

function compareLanes(reference: LaneResponses, other: LaneResponses): Comparison[] {
  return (['POST', 'GET'] as const).flatMap((method) =>
    [...reference.byMethod[method]].map(([each, response]) =>
      compare(
        `${method} ${each.title}`,
        [reference.lane.name, response],
        [other.lane.name, other.byMethod[method].get(each)],
      ),
    ),
  );
}

/** A query has the same response by GET as by POST. */
function compareMethods({ lane, byMethod }: LaneResponses): Comparison[] {
  return [...byMethod.GET]
    .filter(([{ differsByGet }]) => differsByGet !== true)
    .map(([each, response]) =>
      compare(`${lane.name} ${each.title}`, ['POST', byMethod.POST.get(each)], ['GET', response]),
    );
}

type Named = readonly [name: string, response: ComparableResponse | undefined];

function compare(title: string, ...named: readonly [Named, Named]): Comparison {
  const [one, two] = named.map(([, response]) => JSON.stringify(response));
  return one === two && one !== undefined
    ? null
    : { title, reason: named.map(([name, response]) => `${name}: ${JSON.stringify(response)}`).join('\n') };
}

function toResult(comparisons: readonly Comparison[]): SuiteResult {
  const failed = comparisons.filter((comparison) => comparison !== null);
  return { passed: comparisons.length - failed.length, failed, expected: [], skipped: [] };
}
