import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hash as hashPassword } from '@node-rs/argon2';
import { pino } from 'pino';
import { buildApp } from '../../src/app.js';
import { loadConfig } from '../../src/config/index.js';
import { PASSWORD, USERS } from './choices.js';
import { seed, type BenchServer } from './database.js';
import {
  betterAuthExchanges,
  handWrittenExchanges,
  parseServerExchanges,
  postgraphileExchanges,
  TOKEN_SECRET,
} from './peer-exchanges.js';
import { graphqlExchanges, restExchanges, sessionId, userId, type Tokens } from './product-exchanges.js';
import type { Subject } from './subject.js';

const PORTS = {
  service: 4_510,
  yoga: 4_518,
  apollo: 4_511,
  reference: 4_512,
  mercurius: 4_513,
  handApollo: 4_514,
} as const;
const PEER_PORTS = { postgraphile: 4_515, betterAuth: 4_516, parseServer: 4_517 } as const;
const SERVICE_URL = `http://127.0.0.1:${String(PORTS.service)}`;
/** The default parameters of the service. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const serverFile = (name: string): string => fileURLToPath(new URL(`servers/${name}.mjs`, import.meta.url));

/** A subject that cannot be prepared, and why. */
export interface MissingSubject {
  readonly name: string;
  readonly reason: string;
}

/** Settings of the service under measurement: production, without rate limits. */
function serviceSettings(databaseUrl: string, dataDir: string): Readonly<Record<string, string>> {
  return {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SERVER_SECRET: createHash('sha256').update('benchmark').digest('base64'),
    PUBLIC_URL: SERVICE_URL,
    SMTP_URL: 'smtp://127.0.0.1:2599',
    RATE_LIMITS: 'off',
    ACCESS_TOKEN_TTL: '24h',
    LOG_LEVEL: 'warn',
  };
}

/** The service by its interfaces, and the reference, on one database. */
export async function prepareService(server: BenchServer): Promise<Subject[]> {
  const databaseUrl = await server.database('product');
  const settings = serviceSettings(databaseUrl, server.folder);
  const { tokens, publicJwk } = await prepareProduct(settings, databaseUrl);
  const command = ['--max-semi-space-size=2', fileURLToPath(new URL('../../dist/src/main.js', import.meta.url))];
  const environment = { ...settings, PORT: String(PORTS.service) };
  return [
    {
      name: 'reference',
      description: 'node:http and pg, on the tables of the service',
      command: [serverFile('reference')],
      environment: {
        DATABASE_URL: databaseUrl,
        PORT: String(PORTS.reference),
        PUBLIC_JWK: publicJwk,
        ISSUER: SERVICE_URL,
      },
      port: PORTS.reference,
      exchanges: restExchanges(tokens),
    },
    {
      name: 'convene REST',
      description: 'REST paths of the service',
      command,
      environment,
      port: PORTS.service,
      exchanges: restExchanges(tokens),
    },
    {
      name: 'convene GraphQL',
      description: 'GraphQL with the default settings',
      command,
      environment,
      port: PORTS.service,
      exchanges: graphqlExchanges(tokens),
    },
    {
      name: 'convene GraphQL (Yoga)',
      description: 'GraphQL through the HTTP layer of GraphQL Yoga',
      command,
      environment: { ...environment, PORT: String(PORTS.yoga), DIRECT_LANE: 'off' },
      port: PORTS.yoga,
      exchanges: graphqlExchanges(tokens),
    },
    {
      name: 'convene GraphQL (Apollo)',
      description: 'GraphQL through the HTTP layer of Apollo Server',
      command,
      environment: { ...environment, PORT: String(PORTS.apollo), GRAPHQL_ENGINE: 'apollo', DIRECT_LANE: 'off' },
      port: PORTS.apollo,
      exchanges: graphqlExchanges(tokens),
    },
  ];
}

/** Migrates and seeds the database, and signs a token for each account, with the code of the service. */
async function prepareProduct(
  settings: Readonly<Record<string, string>>,
  databaseUrl: string,
): Promise<{ readonly tokens: Tokens; readonly publicJwk: string }> {
  const app = await buildApp(loadConfig({ ...settings, PORT: '0' }, settings.DATA_DIR ?? ''), {
    log: pino({ level: 'silent' }),
  });
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

interface Peer extends Omit<Subject, 'environment' | 'command'> {
  readonly server: string;
  readonly database: string;
  readonly seedFile: string;
  /** Creates its tables itself, and prints the hash of the password. */
  readonly preparesItself: boolean;
}

const PEERS: readonly Peer[] = [
  {
    name: 'mercurius + JIT',
    description: 'hand-written GraphQL over pg',
    server: 'mercurius',
    port: PORTS.mercurius,
    database: 'plain',
    seedFile: 'plain.sql',
    preparesItself: false,
    exchanges: handWrittenExchanges(),
  },
  {
    name: 'Apollo Server',
    description: 'the same resolvers',
    server: 'apollo',
    port: PORTS.handApollo,
    database: 'plain',
    seedFile: 'plain.sql',
    preparesItself: false,
    exchanges: handWrittenExchanges(),
  },
  {
    name: 'PostGraphile',
    description: 'generated GraphQL; a status change is one SQL function',
    server: 'postgraphile',
    port: PEER_PORTS.postgraphile,
    database: 'plain',
    seedFile: 'plain.sql',
    preparesItself: false,
    exchanges: postgraphileExchanges(),
  },
  {
    name: 'better-auth',
    description: 'REST, plugins organization and username',
    server: 'better-auth',
    port: PEER_PORTS.betterAuth,
    database: 'better_auth',
    seedFile: 'better-auth.sql',
    preparesItself: true,
    exchanges: betterAuthExchanges(PEER_PORTS.betterAuth),
  },
  {
    name: 'parse-server',
    description: 'REST; a status change writes one row',
    server: 'parse-server',
    port: PEER_PORTS.parseServer,
    database: 'parse',
    seedFile: 'parse-server.sql',
    preparesItself: true,
    exchanges: parseServerExchanges(),
  },
];

/** Prepares the peers; one that fails is reported, and the others are measured. */
export async function preparePeers(
  server: BenchServer,
): Promise<{ readonly subjects: readonly Subject[]; readonly missing: readonly MissingSubject[] }> {
  const subjects: Subject[] = [];
  const missing: MissingSubject[] = [];
  const seeded = new Set<string>();
  for (const peer of PEERS) {
    try {
      subjects.push(await preparePeer(server, peer, seeded));
    } catch (error) {
      missing.push({ name: peer.name, reason: String(error).split('\n', 1)[0] ?? '' });
    }
  }
  return { subjects, missing };
}

async function preparePeer(server: BenchServer, peer: Peer, seeded: Set<string>): Promise<Subject> {
  const { server: file, database, seedFile, preparesItself, ...subject } = peer;
  const environment = {
    NODE_ENV: 'production',
    DATABASE_URL: await server.database(database),
    PORT: String(peer.port),
    TOKEN_SECRET,
  };
  if (!seeded.has(database)) {
    const hash = preparesItself ? await prepareTables(file, environment) : '';
    await seed(environment.DATABASE_URL, [seedFile], hash);
    seeded.add(database);
  }
  return { ...subject, command: [serverFile(file)], environment };
}

/** @returns the hash of the password, as the peer stores it */
async function prepareTables(file: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [serverFile(file)], {
    env: { ...process.env, ...environment, PREPARE: 'yes', PASSWORD },
    timeout: 60_000,
  });
  return stdout.trim().split('\n').at(-1) ?? '';
}
