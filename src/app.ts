import { hostname } from 'node:os';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import ormConfig from '../mikro-orm.config.js';
import {
  AccessTokenService,
  accountRetentionRules,
  ApiKeyUsageRecorder,
  createAccountLoaders,
  createArgon2Hasher,
  createRateLimiter,
  loadKeyStore,
  RevocationRegistry,
  ServerSecret,
  startKeyReload,
  UNLIMITED,
  type AccountsDeps,
  type Clock,
  type KeyStore,
  type Mailer,
  type PasswordHasher,
  type RateLimitConfig,
} from './accounts/index.js';
import { createHealthMonitor } from './async/health-monitor.js';
import { developmentSecret, mailOutboxDir, type Settings } from './config/index.js';
import { startEmbeddedServer } from './database/embedded/embedded-server.js';
import { findFreePort } from './database/embedded/system/free-port.js';
import { redactErrorMessage } from './database/errors/redact-error.js';
import {
  migrate,
  openDatabase,
  startDatabaseClock,
  startPruning,
  TASK_RETENTION_RULES,
  type Database,
} from './database/index.js';
import {
  ChangeFeed,
  createGroupLoaders,
  findMissingGroups,
  GROUP_RETENTION_RULES,
  GroupWriteQueue,
  isOpenInvitation,
  withInvitedMemberships,
  type GroupsDeps,
} from './groups/index.js';
import { stopServer } from './http/stop-server.js';
import { createTaskHandlers, registrationTaskNames, startJobs, type Jobs } from './jobs/index.js';
import { createLogger } from './logger.js';
import { createMailer } from './mail/index.js';
import { ShutdownStack } from './shutdown-stack.js';

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
export async function openCore(
  settings: Settings,
  overrides: Overrides = {},
  parts = new ShutdownStack(),
): Promise<Core> {
  return stopOnFailure(parts, async () => {
    const log = overrides.log ?? createLogger(settings.LOG_LEVEL, settings.NODE_ENV === 'development');
    // A password is hashed once to have a dummy to compare with; meanwhile the database starts.
    const hasherReady =
      overrides.hasher ?? createArgon2Hasher({ memoryKiB: settings.ARGON2_MEMORY_KIB, passes: settings.ARGON2_PASSES });
    const databaseUrl = overrides.databaseUrl ?? (await findDatabase(settings, log, parts));
    const migrated = await migrate(databaseUrl, ormConfig);
    const database = await openDatabase({
      url: databaseUrl,
      poolSize: settings.DATABASE_POOL,
      orm: ormConfig,
      warn: (message) => {
        log.warn(message);
      },
    });
    parts.add('the database connections', () => database.close());
    const clock = overrides.clock ?? (await startSharedClock(database, parts));
    const serverSecret = new ServerSecret(settings.SERVER_SECRET ?? [await developmentSecret(settings.DATA_DIR)]);
    const publicUrl = settings.PUBLIC_URL ?? `http://localhost:${String(settings.PORT)}`;
    const keys = await loadKeyStore({ database, serverSecret, clock, accessTokenTtlMs: settings.ACCESS_TOKEN_TTL });
    const revocations = new RevocationRegistry({
      database,
      clock,
      accessTokenTtlMs: settings.ACCESS_TOKEN_TTL,
      onError: (error) => {
        log.warn({ err: error }, 'A revocation could not be announced: other processes find it when they look next');
      },
    });
    parts.add('the announcement of revocations', () => revocations.flush());
    const apiKeyUsage = new ApiKeyUsageRecorder(database, (error) => {
      log.warn({ err: error }, 'The last use of an API key could not be noted');
    });
    parts.add('the last uses of API keys', () => apiKeyUsage.flush());
    const mailer =
      overrides.mailer ??
      createMailer({
        smtpUrl: settings.SMTP_URL ?? undefined,
        from: settings.MAIL_FROM,
        outboxDir: mailOutboxDir(settings),
        log,
        logsLinks: settings.NODE_ENV === 'development',
      });
    // Without jobs of its own, a command leaves its tasks for the service to find.
    const dispatchTasks = (): void => undefined;
    const limits = settings.RATE_LIMITS ? createRateLimiter({ database, serverSecret }, quotasOf(settings)) : UNLIMITED;
    const writeQueue = new GroupWriteQueue();
    const outward = {
      database,
      clock,
      mailer,
      serverSecret,
      frontendUrl: settings.FRONTEND_URL ?? publicUrl,
      dispatchTasks,
    };
    const accounts: AccountsDeps = {
      ...outward,
      loaders: createAccountLoaders(database),
      hasher: await hasherReady,
      limits,
      accessTokens: new AccessTokenService({
        keys,
        clock,
        issuer: publicUrl,
        audience: AUDIENCE,
        clientId: CLIENT_ID,
        ttlMs: settings.ACCESS_TOKEN_TTL,
      }),
      revocations,
      apiKeyUsage,
      refreshTokenTtlMs: settings.REFRESH_TOKEN_TTL,
      passwordMinLength: settings.PASSWORD_MIN_LENGTH,
      followUpNames: registrationTaskNames(createTaskHandlers({ ...outward, limits, writeQueue })),
      isOpenInvitation: (invitation) => isOpenInvitation(outward, invitation),
      withInvitedMemberships: (address, work) => withInvitedMemberships({ database, clock, writeQueue }, address, work),
      missingGroups: (groupIds) => findMissingGroups(database, groupIds),
    };
    const groupsReads = createGroupLoaders(database);
    const changeFeed = new ChangeFeed({
      database,
      loaders: groupsReads,
      onError: (error) => {
        log.warn({ err: error }, 'A change could not be announced: listeners find it when they look next');
      },
    });
    parts.add('the announcement of changes', () => changeFeed.flush());
    const groups: GroupsDeps = {
      ...outward,
      loaders: groupsReads,
      changeFeed,
      writeQueue,
      invitationMailQuotas: settings.RATE_LIMITS
        ? { byInviter: settings.LIMIT_INVITER, toAddress: settings.LIMIT_INVITEE }
        : null,
    };
    return {
      settings,
      log,
      databaseUrl,
      database,
      publicUrl,
      keys,
      accounts,
      groups,
      migrated,
      close: () => parts.stop(),
    };
  });
}

/** Builds the whole service; it serves once `listen` is called. */
export async function buildApp(wanted: Settings, overrides: Overrides = {}): Promise<App> {
  const parts = new ShutdownStack();
  const settings = await withPort(wanted);
  // The doors are half of all code: they are loaded while the database starts.
  const [core, { composeHttpServer }] = await Promise.all([
    openCore(settings, overrides, parts),
    import('./compose-http-server.js'),
  ]);
  return stopOnFailure(parts, async () => {
    if (!settings.RATE_LIMITS) core.log.warn('RATE_LIMITS is off: passwords can be guessed without end');
    const reload = startKeyReload(core.keys, (error) => {
      core.log.warn({ err: error }, 'The signing keys could not be read anew');
    });
    parts.add('the key reload', () => reload.stop());
    const following = await core.accounts.revocations.start(
      core.databaseUrl,
      createHealthMonitor(core.log, 'The list of revoked sessions', redactErrorMessage),
    );
    parts.add('the following of revocations', () => following.stop());
    const feeding = await core.groups.changeFeed.start(
      core.databaseUrl,
      createHealthMonitor(core.log, 'The feed of group changes', redactErrorMessage),
    );
    parts.add('the feed of group changes', () => feeding.stop());
    const pruning = startPruning({
      database: core.database,
      clock: core.accounts.clock,
      outdated: [
        ...accountRetentionRules({
          accessTokenTtlMs: settings.ACCESS_TOKEN_TTL,
          auditRetentionMs: settings.AUDIT_RETENTION,
        }),
        ...GROUP_RETENTION_RULES,
        ...TASK_RETENTION_RULES,
      ],
      onError: (error) => {
        core.log.warn({ err: error }, 'What is outdated could not be erased');
      },
    });
    parts.add('the pruning', () => pruning.stop());
    const jobs = await startJobs({
      backend: settings.JOBS_BACKEND,
      databaseUrl: core.databaseUrl,
      mongodbUri: settings.MONGODB_URI,
      database: core.database,
      clock: core.accounts.clock,
      log: core.log,
      handlers: createTaskHandlers({ ...core.accounts, writeQueue: core.groups.writeQueue }),
      workerName: `${hostname()}:${String(process.pid)}`,
    });
    parts.add('the jobs', () => jobs.stop());
    const dispatchTasks = (taskIds: readonly string[]): void => {
      jobs.dispatch(taskIds);
    };
    const accounts: AccountsDeps = { ...core.accounts, dispatchTasks };
    const groups: GroupsDeps = { ...core.groups, dispatchTasks };
    const server = await composeHttpServer({ ...core, accounts, groups });
    parts.add('the HTTP server', () => stopServer(server));
    return {
      ...core,
      accounts,
      groups,
      jobs,
      server,
      listen: () => server.listen({ port: settings.PORT, host: settings.HOST }),
    };
  });
}

function quotasOf(settings: Settings): RateLimitConfig {
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
async function findDatabase(settings: Settings, log: Logger, parts: ShutdownStack): Promise<string> {
  if (settings.DATABASE_URL !== null) return settings.DATABASE_URL;
  const server = await startEmbeddedServer({ dataDir: settings.DATA_DIR, log });
  parts.add('the embedded database', () => server.stop());
  return server.url;
}

/** The database's time, so that it makes no difference when somebody sets one machine's clock. */
async function startSharedClock(database: Database, parts: ShutdownStack): Promise<Clock> {
  const clock = await startDatabaseClock(database);
  parts.add('the clock', () => {
    clock.stop();
  });
  return clock;
}

async function stopOnFailure<T>(parts: ShutdownStack, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await parts.stop().catch(() => undefined);
    throw error;
  }
}
