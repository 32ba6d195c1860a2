import { execFileSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { ApolloGateway, IntrospectAndCompose, RemoteGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import type { Finding, Service, Services, Suite } from '../suite.js';

const PASSWORD = 'seven quiet lanterns';
const REVIEWS = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
  type Review { text: String! author: User! group: Group }
  type User @key(fields: "id") { id: ID! reviews: [Review!]! }
  type Group @key(fields: "id") { id: ID! reviews: [Review!]! }
  type Query { reviews: [Review!]! }
`;
const INTO_SERVICE = '{ reviews { text author { username } group { name acceptedCount } } }';
const INTO_REVIEWS = 'query ($id: UUID!) { group(id: $id) { name reviews { text author { username } } } }';

interface Review {
  readonly text: string;
  readonly author: { readonly id: string };
  readonly group: { readonly id: string };
}

interface User {
  readonly id: string;
  readonly username: string;
  readonly token: string;
}

interface GatewayContext {
  readonly authorization?: string;
}

/** The findings of the suite name what fails. */
const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

type Settings = Readonly<Record<string, string>>;
type Execute = (query: string, user: User | null, variables?: Settings) => Promise<unknown>;

/** Composes the service with a subgraph that extends both entities, and queries both through the gateway of Apollo. */
export const federation: Suite = {
  name: 'federation',
  packages: ['@apollo/gateway', '@apollo/composition', '@apollo/subgraph'],
  async run(services) {
    const checks = [
      ...(await checkService(services, { GRAPHQL_ENGINE: 'yoga' })),
      ...(await checkService(services, { GRAPHQL_ENGINE: 'apollo', INTROSPECTION: 'off' })),
    ];
    const failed = checks.filter((check) => check !== null);
    return { passed: checks.length - failed.length, failed, expected: [], skipped: [] };
  },
};

async function checkService(services: Services, settings: Settings): Promise<(Finding | null)[]> {
  const service = await services.start({ FEDERATION: 'on', ...settings });
  const [member, stranger] = [await registerUser(service), await registerUser(service)];
  const [seen, hidden] = [await createGroup(service, member, 'Seen'), await createGroup(service, stranger, 'Hidden')];
  const reviews = await startReviews([
    { text: 'Of a group of the reader.', author: member, group: { id: seen } },
    { text: 'Of another group.', author: member, group: { id: hidden } },
  ]);
  const gateway = await startGateway(service.url, reviews.url, createGatewayKey(services));
  const name = Object.values(settings).join(', ');
  try {
    return [
      compare(`${name}: resolves references, and hides a group`, await gateway.execute(INTO_SERVICE, member), {
        reviews: [
          {
            text: 'Of a group of the reader.',
            author: { username: member.username },
            group: { name: 'Seen', acceptedCount: 1 },
          },
          { text: 'Of another group.', author: { username: member.username }, group: null },
        ],
      }),
      compare(`${name}: extends a group`, await gateway.execute(INTO_REVIEWS, member, { id: seen }), {
        group: {
          name: 'Seen',
          reviews: [{ text: 'Of a group of the reader.', author: { username: member.username } }],
        },
      }),
      compare(`${name}: refuses a caller without a token`, await gateway.execute(INTO_SERVICE, null), [
        'UNAUTHENTICATED',
      ]),
    ];
  } finally {
    await gateway.stop();
    await reviews.stop();
    await service.stop();
  }
}

/** Composition runs at the start, and fails it. */
async function startGateway(
  serviceUrl: string,
  reviewsUrl: string,
  key: string,
): Promise<{ execute: Execute; stop(): Promise<void> }> {
  const gateway = new ApolloGateway({
    supergraphSdl: new IntrospectAndCompose({
      subgraphs: [
        { name: 'convene', url: `${serviceUrl}/graphql` },
        { name: 'reviews', url: reviewsUrl },
      ],
      introspectionHeaders: { 'convene-gateway-key': key },
    }),
    buildService: ({ url = '' }: { url?: string }) =>
      new RemoteGraphQLDataSource<GatewayContext>({
        url,
        willSendRequest: ({ request, context }) => {
          request.http?.headers.set('convene-gateway-key', key);
          // Without the context of a request while the gateway reads the schema.
          const authorization: unknown = context.authorization;
          if (typeof authorization === 'string') request.http?.headers.set('authorization', authorization);
        },
      }),
    logger: SILENT,
  });
  const server = new ApolloServer<GatewayContext>({ gateway, logger: SILENT });
  await server.start();
  return {
    stop: () => server.stop(),
    execute: async (query, user, variables = {}) => {
      const contextValue = user === null ? {} : { authorization: `Bearer ${user.token}` };
      const { body } = await server.executeOperation({ query, variables }, { contextValue });
      if (body.kind !== 'single') throw new Error('The gateway answers in parts');
      const { data, errors } = body.singleResult;
      return errors === undefined ? data : [...new Set(errors.map(({ extensions }) => extensions?.code))];
    },
  };
}

async function startReviews(reviews: readonly Review[]): Promise<{ url: string; stop(): Promise<void> }> {
  const schema = buildSubgraphSchema({
    typeDefs: parse(REVIEWS),
    resolvers: {
      Query: { reviews: () => reviews },
      User: { reviews: ({ id }: { id: string }) => reviews.filter(({ author }) => author.id === id) },
      Group: { reviews: ({ id }: { id: string }) => reviews.filter(({ group }) => group.id === id) },
    },
  });
  const server = new ApolloServer({ schema, logger: SILENT });
  const { url } = await startStandaloneServer(server, { listen: { host: '127.0.0.1', port: 0 } });
  return { url, stop: () => server.stop() };
}

async function registerUser({ url }: Service): Promise<User> {
  const username = `reader-${Math.random().toString(36).slice(2)}`;
  await postJson(`${url}/api/auth/register`, { username, password: PASSWORD });
  const body = await postJson(`${url}/api/auth/token`, { username, password: PASSWORD });
  return { username, id: String(body.user_id), token: String(body.access_token) };
}

async function createGroup({ url }: Service, { token }: User, name: string): Promise<string> {
  const query = 'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { id } } }';
  const body = await postJson(`${url}/graphql`, { query, variables: { input: { name } } }, token);
  const { data } = body as { data: { createGroup: { group: { id: string } } } };
  return data.createGroup.group.id;
}

async function postJson(url: string, body: object, token?: string): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answers ${String(response.status)}: ${await response.text()}`);
  return (await response.json()) as Readonly<Record<string, unknown>>;
}

function createGatewayKey({ databaseUrl, dataDir }: Services): string {
  const args = ['dist/src/cli/main.js', 'api-key', 'create', '--name', 'gateway', '--scope', 'federation'];
  const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
  return execFileSync(process.execPath, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

function compare(title: string, actual: unknown, expected: unknown): Finding | null {
  // The gateway creates objects without a prototype.
  const plain: unknown = JSON.parse(JSON.stringify(actual ?? null));
  return isDeepStrictEqual(plain, expected) ? null : { title, reason: JSON.stringify(actual) };
}
