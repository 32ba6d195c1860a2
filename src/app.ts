import { hostname } from 'node:os';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import ormConfig from '../mikro-orm.config.js';
import {
  type AccountsDeps, accountReads, AccessTokens, ApiKeyUses, type Clock, createArgon2Hasher, type KeyStore, loadKeyStore, type Mailer,
  NO_RATE_LIMITS, outdatedInAccounts, type PasswordHasher, type Quotas, Revocations, ServerSecret, sharedRateLimits, startKeyReload,
} from './accounts/index.js';
import { developmentSecret, outboxDir, type Settings } from './config/index.js';
import { type Database, migrate, openDatabase, OUTDATED_TASKS, startDatabaseClock, startPruning } from './database/index.js';
import { findFreePort } from './database/embedded/free-port.js';
import { startEmbeddedServer } from './database/embedded-server.js';
import { ChangeFeed, GroupWriteQueue, type GroupsDeps, OUTDATED_IN_GROUPS, findMissingGroups, groupReads, isOpenInvitation, withInvitedMemberships } from './groups/index.js';
import { stopServer } from './http/stop-server.js';
import { followUps, type Jobs, registrationFollowUps, startJobs } from './jobs/index.js';
import { watchOutage } from './jobs/outage.js';
import { makeLog } from './log.js';
import { openMailer } from './mail/index.js';
import { StartedParts } from './started-parts.js';

/** What tests hand in instead of the real thing, and what commands have found out beforehand. */
export interface Overrides {
  /** Where the database is, whatever the settings say: a command that works beside a running service uses that one's. */
  readonly databaseUrl?: string;
  readonly clock?: Clock;
  readonly mailer?: Mailer;
  readonly hasher?: PasswordHasher;
  readonly log?: Logger;
}

/** The domain with everything that it needs, without doors: what commands work with. */
export interface Core {
  readonly settings: Settings;
  readonly log: Logger;
  readonly databaseUrl: string;
  readonly database: Database;
  readonly publicUrl: string;
  readonly keys: KeyStore;
  readonly accounts: AccountsDeps;
  readonly groups: GroupsDeps;
  /** The migrations that ran at this start. */
  readonly migrated: readonly string[];
  close(): Promise<void>;
}

export interface App extends Core {
  readonly server: FastifyInstance;
  readonly jobs: Jobs;
  /** Begins to serve, and says where. */
  listen(): Promise<string>;
}

const AUDIENCE = 'convene';
const CLIENT_ID = 'convene';

/**
 * Opens the database and everything that the domain needs, in the order in which each needs what came before.
 */
export async function openCore(settings: Settings, overrides: Overrides = {}, parts = new StartedParts()): Promise<Core> {
  return stopOnFailure(parts, async () => {
    const log = overrides.log ?? makeLog(settings.LOG_LEVEL, settings.NODE_ENV === 'development');
    // A password is hashed once to have a dummy to compare with; meanwhile the database starts.
    const hasherReady = overrides.hasher ?? createArgon2Hasher({ memoryKiB: settings.ARGON2_MEMORY_KIB, passes: settings.ARGON2_PASSES });
    const databaseUrl = overrides.databaseUrl ?? (await findDatabase(settings, log, parts));
    const migrated = await migrate(databaseUrl, ormConfig);
    const database = await openDatabase({
      url: databaseUrl, poolSize: settings.DATABASE_POOL, orm: ormConfig, warn: (message) => { log.warn(message); },
    });
    parts.add('the database connections', () => database.close());
    const clock = overrides.clock ?? (await startSharedClock(database, parts));
    const serverSecret = new ServerSecret(settings.SERVER_SECRET ?? [await developmentSecret(settings.DATA_DIR)]);
    const publicUrl = settings.PUBLIC_URL ?? `http://localhost:${String(settings.PORT)}`;
    const keys = await loadKeyStore({ database, serverSecret, clock, accessTokenTtlMs: settings.ACCESS_TOKEN_TTL });
    const revocations = new Revocations({
      database, clock, accessTokenTtlMs: settings.ACCESS_TOKEN_TTL,
      onError: (error) => { log.warn({ err: error }, 'A revocation could not be announced: other processes find it when they look next'); },
    });
    parts.add('the announcement of revocations', () => revocations.settled());
    const apiKeyUses = new ApiKeyUses(database, (error) => { log.warn({ err: error }, 'The last use of an API key could not be noted'); });
    parts.add('the last uses of API keys', () => apiKeyUses.settled());
    const mailer = overrides.mailer ?? openMailer({
      smtpUrl: settings.SMTP_URL ?? undefined, from: settings.MAIL_FROM, outboxDir: outboxDir(settings), log,
      logsLinks: settings.NODE_ENV === 'development',
    });
    // Without jobs of its own, a command leaves its tasks for the service to find.
    const wake = (): void => undefined;
    const limits = settings.RATE_LIMITS ? sharedRateLimits({ database, serverSecret }, quotasOf(settings)) : NO_RATE_LIMITS;
    const writeQueue = new GroupWriteQueue();
    const outward = { database, clock, mailer, serverSecret, frontendUrl: settings.FRONTEND_URL ?? publicUrl, wake };
    const accounts: AccountsDeps = {
      ...outward,
      reads: accountReads(database),
      hasher: await hasherReady,
      limits,
      accessTokens: new AccessTokens({ keys, clock, issuer: publicUrl, audience: AUDIENCE, clientId: CLIENT_ID, ttlMs: settings.ACCESS_TOKEN_TTL }),
      revocations,
      apiKeyUses,
      refreshTokenTtlMs: settings.REFRESH_TOKEN_TTL,
      passwordMinLength: settings.PASSWORD_MIN_LENGTH,
      followUpNames: registrationFollowUps(followUps({ ...outward, limits, writeQueue })),
      isOpenInvitation: (invitation) => isOpenInvitation(outward, invitation),
      withInvitedMemberships: (address, work) => withInvitedMemberships({ database, clock, writeQueue }, address, work),
      missingGroups: (groupIds) => findMissingGroups(database, groupIds),
    };
    const groupsReads = groupReads(database);
    const changeFeed = new ChangeFeed({
      database, reads: groupsReads,
      onError: (error) => { log.warn({ err: error }, 'A change could not be announced: listeners find it when they look next'); },
    });
    parts.add('the announcement of changes', () => changeFeed.settled());
    const groups: GroupsDeps = {
      ...outward,
      reads: groupsReads,
      changeFeed,
      writeQueue,
      invitationMailQuotas: settings.RATE_LIMITS ? { byInviter: settings.LIMIT_INVITER, toAddress: settings.LIMIT_INVITEE } : null,
    };
    return { settings, log, databaseUrl, database, publicUrl, keys, accounts, groups, migrated, close: () => parts.stop() };
  });
}

/** Builds the whole service; it serves once `listen` is called. */
export async function buildApp(wanted: Settings, overrides: Overrides = {}): Promise<App> {
  const parts = new StartedParts();
  const settings = await withPort(wanted);
  // The doors are half of all code: they are loaded while the database starts.
  const [core, { buildDoors }] = await Promise.all([openCore(settings, overrides, parts), import('./doors.js')]);
  return stopOnFailure(parts, async () => {
    if (!settings.RATE_LIMITS) core.log.warn('RATE_LIMITS is off: passwords can be guessed without end');
    const reload = startKeyReload(core.keys, (error) => { core.log.warn({ err: error }, 'The signing keys could not be read anew'); });
    parts.add('the key reload', () => reload.stop());
    const following = await core.accounts.revocations.follow(core.databaseUrl, watchOutage(core.log, 'The list of revoked sessions'));
    parts.add('the following of revocations', () => following.stop());
    const feeding = await core.groups.changeFeed.follow(core.databaseUrl, watchOutage(core.log, 'The feed of group changes'));
    parts.add('the feed of group changes', () => feeding.stop());
    const pruning = startPruning({
      database: core.database,
      clock: core.accounts.clock,
      outdated: [
        ...outdatedInAccounts({ accessTokenTtlMs: settings.ACCESS_TOKEN_TTL, auditRetentionMs: settings.AUDIT_RETENTION }),
        ...OUTDATED_IN_GROUPS,
        ...OUTDATED_TASKS,
      ],
      onError: (error) => { core.log.warn({ err: error }, 'What is outdated could not be erased'); },
    });
    parts.add('the pruning', () => pruning.stop());
    const jobs = await startJobs({
      backend: settings.JOBS_BACKEND,
      databaseUrl: core.databaseUrl,
      mongodbUri: settings.MONGODB_URI,
      database: core.database,
      clock: core.accounts.clock,
      log: core.log,
      handlers: followUps({ ...core.accounts, writeQueue: core.groups.writeQueue }),
      workerName: `${hostname()}:${String(process.pid)}`,
    });
    parts.add('the jobs', () => jobs.stop());
    const wake = (taskIds: readonly string[]): void => { jobs.wake(taskIds); };
    const accounts: AccountsDeps = { ...core.accounts, wake };
    const groups: GroupsDeps = { ...core.groups, wake };
    const server = await buildDoors({ ...core, accounts, groups });
    parts.add('the HTTP server', () => stopServer(server));
    return { ...core, accounts, groups, jobs, server, listen: () => server.listen({ port: settings.PORT, host: settings.HOST }) };
  });
}

function quotasOf(settings: Settings): Quotas {
  return {
    login: settings.LIMIT_LOGIN,
    loginAddress: settings.LIMIT_LOGIN_ADDRESS,
    loginName: settings.LIMIT_LOGIN_NAME,
    register: settings.LIMIT_REGISTER,
    resetAddress: settings.LIMIT_RESET_ADDRESS,
    resetMail: settings.LIMIT_MAIL,
    verificationMail: settings.LIMIT_MAIL,
  };
}

/** Any free port is chosen beforehand where the service must know it to say where it is. */
async function withPort(settings: Settings): Promise<Settings> {
  return settings.PORT === 0 && settings.PUBLIC_URL === null ? { ...settings, PORT: await findFreePort() } : settings;
}

/** A server of one's own, or else the embedded one, which is started here. */
async function findDatabase(settings: Settings, log: Logger, parts: StartedParts): Promise<string> {
  if (settings.DATABASE_URL !== null) return settings.DATABASE_URL;
  const server = await startEmbeddedServer({ dataDir: settings.DATA_DIR, log });
  parts.add('the embedded database', () => server.stop());
  return server.url;
}

/** The database's time, so that it makes no difference when somebody sets one machine's clock. */
async function startSharedClock(database: Database, parts: StartedParts): Promise<Clock> {
  const clock = await startDatabaseClock(database);
  parts.add('the clock', () => { clock.stop(); });
  return clock;
}

async function stopOnFailure<T>(parts: StartedParts, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await parts.stop().catch(() => undefined);
    throw error;
  }
}
