import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { hash as hashPassword } from '@node-rs/argon2';
import { pino } from 'pino';
import { buildApp } from '../../../src/app.js';
import { loadConfig } from '../../../src/config/index.js';
import { seed, type BenchServer } from '../database.js';
import { PASSWORD, USERS } from '../exchanges/choices.js';
import type { Exchanges, Operation } from '../exchanges/exchange.js';
import { graphqlExchanges, restExchanges, sessionId, userId, type Tokens } from '../exchanges/product-exchanges.js';
import { GRAPHQL, REFERENCE, REST, TWO_PROCESSES } from '../report/results.js';
import { ROOT, serverFile } from './files.js';
import type { Ports } from './find-ports.js';
import type { Subject } from './subject.js';

/** The default parameters of the service. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Its copies are the databases of the programs. */
const TEMPLATE = 'seeded';

/** Settings of the service under measurement: production, without rate limits. */
export const SERVICE_SETTINGS: Readonly<Record<string, string>> = {
  NODE_ENV: 'production',
  SMTP_URL: 'smtp://127.0.0.1:2599',
  RATE_LIMITS: 'off',
  ACCESS_TOKEN_TTL: '24h',
  LOG_LEVEL: 'warn',
};

/** The service by its interfaces, and the reference, each program on its own copy of one database. */
export async function prepareService(server: BenchServer, ports: Ports): Promise<Subject[]> {
  const settings = {
    ...SERVICE_SETTINGS,
    PUBLIC_URL: `http://127.0.0.1:${String(ports.service)}`,
    DATA_DIR: server.folder,
    SERVER_SECRET: createHash('sha256').update('benchmark').digest('base64'),
  };
  const { tokens, publicJwk } = await prepareTemplate(server, settings);
  const service = await serviceOn(server, 'service', { ...settings, PORT: String(ports.service) });
  const yoga = await serviceOn(server, 'service_yoga', { ...settings, PORT: String(ports.yoga), DIRECT_LANE: 'off' });
  const apollo = await serviceOn(server, 'service_apollo', {
    ...settings,
    PORT: String(ports.apollo),
    GRAPHQL_ENGINE: 'apollo',
    DIRECT_LANE: 'off',
  });
  const twoProcesses = await serviceOn(server, 'service_two_processes', {
    ...settings,
    PORT: String(ports.twoProcesses),
    WEB_CONCURRENCY: '2',
  });
  const rest = restExchanges(tokens);
  const graphql = graphqlExchanges(tokens);
  return [
    await referenceOn(server, ports.reference, { ISSUER: settings.PUBLIC_URL, PUBLIC_JWK: publicJwk }, rest),
    { ...service, name: REST, description: 'REST paths of the service', exchanges: rest },
    { ...service, name: GRAPHQL, description: 'GraphQL with the default settings', exchanges: graphql },
    {
      ...yoga,
      name: 'convene GraphQL (Yoga)',
      description: 'GraphQL through the HTTP layer of GraphQL Yoga',
      exchanges: graphql,
    },
    {
      ...apollo,
      name: 'convene GraphQL (Apollo)',
      description: 'GraphQL through the HTTP layer of Apollo Server',
      exchanges: graphql,
    },
    {
      ...twoProcesses,
      name: TWO_PROCESSES,
      description: 'two processes on one port, for the changes of one group',
      exchanges: pick(rest, 'hot-group'),
    },
  ];
}

function pick(exchanges: Exchanges, operation: Operation): Exchanges {
  const exchange = exchanges[operation];
  return exchange === undefined ? {} : { [operation]: exchange };
}

async function referenceOn(
  server: BenchServer,
  port: number,
  tokens: { readonly ISSUER: string; readonly PUBLIC_JWK: string },
  exchanges: Exchanges,
): Promise<Subject> {
  const databaseUrl = await server.createDatabase('reference', TEMPLATE);
  return {
    name: REFERENCE,
    description: 'node:http and pg, on the tables of the service',
    command: [serverFile('reference')],
    folder: server.folder,
    environment: { NODE_ENV: 'production', DATABASE_URL: databaseUrl, PORT: String(port), ...tokens },
    port,
    databaseUrl,
    isRequired: true,
    exchanges,
  };
}

async function serviceOn(
  server: BenchServer,
  database: string,
  settings: Readonly<Record<string, string>>,
): Promise<Omit<Subject, 'name' | 'description' | 'exchanges'>> {
  const databaseUrl = await server.createDatabase(database, TEMPLATE);
  return {
    command: startArguments(),
    folder: fileURLToPath(ROOT),
    environment: { ...settings, DATABASE_URL: databaseUrl },
    port: Number(settings.PORT),
    databaseUrl,
    isRequired: true,
  };
}

/** The arguments of Node with which `npm start` starts the service. */
function startArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
    readonly scripts: { readonly start: string };
  };
  return scripts.start.replace(/^exec node /, '').split(' ');
}

/** Migrates and seeds the template, and signs a token for each account, with the code of the service. */
async function prepareTemplate(
  server: BenchServer,
  settings: Readonly<Record<string, string>>,
): Promise<{ readonly tokens: Tokens; readonly publicJwk: string }> {
  const databaseUrl = await server.createDatabase(TEMPLATE);
  const app = await buildApp(
    loadConfig({ ...settings, DATABASE_URL: databaseUrl, PORT: '0' }, settings.DATA_DIR ?? ''),
    { log: pino({ level: 'silent' }) },
  );
  try {
    await seed(databaseUrl, ['functions.sql', 'product.sql'], await hashPassword(PASSWORD, ARGON2));
    const numbers = Array.from({ length: USERS }, (_, index) => index + 1);
    const tokens = numbers.map(
      (n) =>
        app.accounts.accessTokens.sign({ userId: userId(n), sessionId: sessionId(n), roles: ['USER'] }).accessToken,
    );
    const jwks = await fetch(`${await app.listen()}/.well-known/jwks.json`);
    const { keys } = (await jwks.json()) as { readonly keys: readonly object[] };
    return { tokens: ['', ...tokens], publicJwk: JSON.stringify(keys[0]) };
  } finally {
    await app.close();
  }
}
