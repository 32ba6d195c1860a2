import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { runSql, seed, type BenchServer } from '../database.js';
import { PASSWORD } from '../exchanges/choices.js';
import type { Exchanges } from '../exchanges/exchange.js';
import {
  betterAuthExchanges,
  handWrittenExchanges,
  parseServerExchanges,
  postgraphileExchanges,
  TOKEN_SECRET,
} from '../exchanges/peer-exchanges.js';
import type { MissingSubject } from '../report/results.js';
import { serverFile } from './files.js';
import { firstLineOf } from './first-line-of.js';
import type { Subject } from './subject.js';

const PORTS = { mercurius: 4_513, apollo: 4_514, postgraphile: 4_515, betterAuth: 4_516, parseServer: 4_517 } as const;

interface Peer {
  readonly name: string;
  readonly description: string;
  readonly server: string;
  readonly port: number;
  readonly seedFile: string;
  /** Creates its tables itself, and prints the hash of the password. */
  readonly preparesItself: boolean;
  readonly exchanges: Exchanges;
}

const PEERS: readonly Peer[] = [
  {
    name: 'mercurius + JIT',
    description: 'hand-written GraphQL over pg; a status change writes no history',
    server: 'mercurius',
    port: PORTS.mercurius,
    seedFile: 'plain.sql',
    preparesItself: false,
    exchanges: handWrittenExchanges(),
  },
  {
    name: 'Apollo Server',
    description: 'the same resolvers',
    server: 'apollo',
    port: PORTS.apollo,
    seedFile: 'plain.sql',
    preparesItself: false,
    exchanges: handWrittenExchanges(),
  },
  {
    name: 'PostGraphile',
    description: 'generated GraphQL without authentication; a status change is one SQL function, without history',
    server: 'postgraphile',
    port: PORTS.postgraphile,
    seedFile: 'plain.sql',
    preparesItself: false,
    exchanges: postgraphileExchanges(),
  },
  {
    name: 'better-auth',
    description: 'REST, plugins organization and username; passwords with scrypt',
    server: 'better-auth',
    port: PORTS.betterAuth,
    seedFile: 'better-auth.sql',
    preparesItself: true,
    exchanges: betterAuthExchanges(PORTS.betterAuth),
  },
  {
    name: 'parse-server',
    description: 'REST; a status change writes one row and counts nothing; passwords with bcrypt',
    server: 'parse-server',
    port: PORTS.parseServer,
    seedFile: 'parse-server.sql',
    preparesItself: true,
    exchanges: parseServerExchanges(),
  },
];

/** Prepares the peers. One that fails is reported, and the others are measured. */
export async function preparePeers(
  server: BenchServer,
): Promise<{ readonly subjects: readonly Subject[]; readonly missing: readonly MissingSubject[] }> {
  const subjects: Subject[] = [];
  const missing: MissingSubject[] = [];
  for (const peer of PEERS) {
    try {
      subjects.push(await preparePeer(server, peer));
    } catch (error) {
      missing.push({ subject: peer.name, operation: null, reason: firstLineOf(error) });
    }
  }
  return { subjects, missing };
}

async function preparePeer(server: BenchServer, peer: Peer): Promise<Subject> {
  const { name, description, server: file, port, seedFile, preparesItself, exchanges } = peer;
  const databaseUrl = await server.createDatabase(file.replace('-', '_'));
  const environment = { NODE_ENV: 'production', DATABASE_URL: databaseUrl, PORT: String(port), TOKEN_SECRET };
  const folder = server.folder;
  const hash = preparesItself ? await prepareTables(file, folder, environment) : '';
  await seed(databaseUrl, [seedFile], hash);
  const command = [serverFile(file)];
  return { name, description, command, folder, environment, port, databaseUrl, isRequired: false, exchanges };
}

/** @returns the hash of the password, as the peer stores it */
async function prepareTables(
  file: string,
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [serverFile(file)], {
    cwd: folder,
    env: { ...process.env, ...environment, PREPARE: 'yes', PASSWORD },
    timeout: 60_000,
  });
  return stdout.trim().split('\n').at(-1) ?? '';
}

/** @returns the number of groups of a hand-written peer whose counter differs from its members */
export async function wrongPlainCounts(url: string): Promise<number> {
  const [row] = await runSql<{ wrong: number }>(
    url,
    `select count(*)::integer as wrong from app.groups g where g.accepted_count <>
       (select count(*) from app.members m where m.group_id = g.id and m.status = 'accepted')`,
  );
  return row?.wrong ?? 0;
}
