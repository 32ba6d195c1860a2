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
import type { PortName, Ports } from './find-ports.js';
import { firstLineOf } from './first-line-of.js';
import type { Subject } from './subject.js';

interface Peer {
  readonly name: string;
  readonly description: string;
  readonly server: string;
  readonly port: PortName;
  readonly seedFile: string;
  /** Creates its tables itself, and prints the hash of the password. */
  readonly preparesItself: boolean;
  readonly exchanges: (port: number) => Exchanges;
}

const PEERS: readonly Peer[] = [
  {
    name: 'mercurius + JIT',
    description: 'hand-written GraphQL over pg, for members of the group; a status change writes no history',
    server: 'mercurius',
    port: 'mercurius',
    seedFile: 'plain.sql',
    preparesItself: false,
    exchanges: handWrittenExchanges,
  },
  {
    name: 'Apollo Server',
    description: 'the same resolvers',
    server: 'apollo',
    port: 'handApollo',
    seedFile: 'plain.sql',
    preparesItself: false,
    exchanges: handWrittenExchanges,
  },
  {
    name: 'PostGraphile',
    description: 'generated GraphQL without authentication; a status change is one SQL function, without history',
    server: 'postgraphile',
    port: 'postgraphile',
    seedFile: 'plain.sql',
    preparesItself: false,
    exchanges: postgraphileExchanges,
  },
  {
    name: 'better-auth',
    description: 'REST, plugins organization and username; passwords with scrypt',
    server: 'better-auth',
    port: 'betterAuth',
    seedFile: 'better-auth.sql',
    preparesItself: true,
    exchanges: betterAuthExchanges,
  },
  {
    name: 'parse-server',
    description: 'REST; a status change writes one row and counts nothing; passwords with bcrypt',
    server: 'parse-server',
    port: 'parseServer',
    seedFile: 'parse-server.sql',
    preparesItself: true,
    exchanges: parseServerExchanges,
  },
];

/** Prepares the peers. One that fails is reported, and the others are measured. */
export async function preparePeers(
  server: BenchServer,
  ports: Ports,
): Promise<{ readonly subjects: readonly Subject[]; readonly missing: readonly MissingSubject[] }> {
  const subjects: Subject[] = [];
  const missing: MissingSubject[] = [];
  for (const peer of PEERS) {
    console.log(`Preparing ${peer.name}.`);
    try {
      subjects.push(await preparePeer(server, peer, ports[peer.port]));
    } catch (error) {
      missing.push({ subject: peer.name, operation: null, reason: firstLineOf(error) });
    }
  }
  return { subjects, missing };
}

async function preparePeer(server: BenchServer, peer: Peer, port: number): Promise<Subject> {
  const { name, description, server: file, seedFile, preparesItself } = peer;
  const exchanges = peer.exchanges(port);
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
