import type { Logger } from 'pino';
import ormConfig from '../mikro-orm.config.js';
import {
  acceptedIssuers,
  AccessTokenService,
  ApiKeyUsageRecorder,
  concurrentHashes,
  createAccountLoaders,
  createArgon2Hasher,
  createRateLimiter,
  loadKeyStore,
  RevocationRegistry,
  ServerSecret,
  UNLIMITED,
  type AccountsDeps,
  type Argon2Options,
  type Clock,
  type KeyStore,
  type Mailer,
  type PasswordHasher,
  type RateLimitConfig,
} from './accounts/index.js';
import type { RateLimiter } from './accounts/rate-limiting/rate-limiter.js';
import { mailOutboxDir, threadPoolSize, type Settings } from './config/index.js';
import {
  createUnavailabilityLog,
  migrate,
  openDatabase,
  shareConnections,
  startDatabaseClock,
  type Database,
  type DatabaseAddress,
} from './database/index.js';
import {
  ChangeFeed,
  createGroupLoaders,
  findMissingGroups,
  GroupWriteQueue,
  ResponseBatcher,
  withInvitedMemberships,
  type GroupsDeps,
} from './groups/index.js';
import { PublicUrl } from './http-core/public-url.js';
import { createTaskHandlers, registrationTaskNames, type TaskHandlerDefinition } from './jobs/index.js';
import { createMailer } from './mail/index.js';
import { createLogger } from './output/logger.js';
import { findServerSecrets } from './processes/find-server-secrets.js';
import { openDatabaseServer } from './processes/open-database-server.js';
import { ShutdownStack } from './shutdown/shutdown-stack.js';
import { TaskDispatcher } from './task-dispatcher.js';

/** Replacements of parts, for tests and commands. */
export interface Overrides {
  /** Replaces the setting. A command that runs beside the service uses the database of that service. */
  readonly databaseUrl?: string;
  /** Ends the wait for the migration of another process. */
  readonly stop?: AbortSignal;
  /** Whether another process of this service has migrated the database at this start. */
  readonly isMigrated?: boolean;
  /** Called when the database has the schema of this version. */
  readonly onMigrated?: () => void;
  readonly clock?: Clock;
  readonly mailer?: Mailer;
  readonly hasher?: PasswordHasher;
  readonly log?: Logger;
}

/** The domain with its dependencies, without transports and jobs. Commands use it. */
export interface Core {
  readonly settings: Settings;
  readonly log: Logger;
  readonly databaseUrl: string;
  /** Leads past the pooler, if there is a way; for listening. */
  readonly directAddress: DatabaseAddress;
  readonly database: Database;
  readonly publicUrl: PublicUrl;
  readonly keys: KeyStore;
  readonly accounts: AccountsDeps;
  readonly groups: GroupsDeps;
  readonly taskDispatcher: TaskDispatcher;
  readonly taskHandlers: readonly TaskHandlerDefinition[];
  /** The migrations that ran at this start. */
  readonly migrated: readonly string[];
  /** Stops all parts in reverse order, those that were added to the core later included. */
  close(): Promise<void>;
}

/** The dependencies that accounts, groups and task handlers share. */
type SharedDeps = Pick<
  AccountsDeps & GroupsDeps,
  'database' | 'clock' | 'mailer' | 'serverSecret' | 'frontendUrl' | 'dispatchTasks'
>;

const AUDIENCE = 'convene';
const CLIENT_ID = 'convene';

/**
 * Opens the domain. Each part needs those above it.
 *
 * @param shutdown receives every started part; all are stopped when a later one fails
 */
export async function openCore(
  settings: Settings,
  overrides: Overrides = {},
  shutdown = new ShutdownStack(),
): Promise<Core> {
  return shutdown.stopOnFailure(async () => {
    const log = overrides.log ?? (await createLogger(settings));

    // Hashes a dummy password once, which takes as long as a login, so it runs while the database starts.
    const hasherReady = overrides.hasher ?? createArgon2Hasher(hashOptionsOf(settings));

    // The schema is current before any part reads it.
    const databaseUrl = overrides.databaseUrl ?? (await findDatabaseUrl(settings, log, shutdown));
    const directAddress = directAddressOf(databaseUrl, settings);
    const migrated = overrides.isMigrated === true ? [] : await bringUpToDate(directAddress, overrides.stop, log);
    overrides.onMigrated?.();
    const database = await connectDatabase(databaseUrl, settings, log, shutdown);

    const clock = overrides.clock ?? (await startSharedClock(database, shutdown));
    const serverSecret = new ServerSecret(await findServerSecrets(settings));
    const publicUrl = new PublicUrl(settings.PUBLIC_URL ?? `http://localhost:${String(settings.PORT)}`);

    // The server secret seals the signing keys.
    const keys = await loadKeyStore({ database, serverSecret, clock, accessTokenTtlMs: settings.ACCESS_TOKEN_TTL });

    // Use cases dispatch tasks to it. Jobs connect to it when the whole service starts.
    const taskDispatcher = new TaskDispatcher();
    const shared: SharedDeps = {
      database,
      clock,
      mailer: overrides.mailer ?? createConfiguredMailer(settings, log),
      serverSecret,
      frontendUrl: settings.FRONTEND_URL ?? publicUrl.href,
      dispatchTasks: taskDispatcher.dispatch,
    };
    const limits = settings.RATE_LIMITS
      ? createRateLimiter({ database, serverSecret }, rateLimitsOf(settings))
      : UNLIMITED;
    const writeQueue = new GroupWriteQueue();

    // Before the accounts, because a registration enqueues the tasks that handlers are marked for.
    const taskHandlers = createTaskHandlers({ ...shared, limits, writeQueue });
    const accounts = createAccounts(
      { settings, log, shared, keys, publicUrl, limits, writeQueue, taskHandlers, hasher: await hasherReady },
      shutdown,
    );
    const groups = createGroups({ settings, log, shared, writeQueue }, shutdown);

    return {
      settings,
      log,
      databaseUrl,
      directAddress,
      database,
      publicUrl,
      keys,
      accounts,
      groups,
      taskDispatcher,
      taskHandlers,
      migrated,
      close: () => shutdown.stop(),
    };
  });
}

function hashOptionsOf({ ARGON2_MEMORY_KIB, ARGON2_PASSES, WEB_CONCURRENCY }: Settings): Partial<Argon2Options> {
  return {
    memoryKiB: ARGON2_MEMORY_KIB,
    passes: ARGON2_PASSES,
    concurrency: concurrentHashes(WEB_CONCURRENCY, threadPoolSize()),
  };
}

async function findDatabaseUrl(settings: Settings, log: Logger, shutdown: ShutdownStack): Promise<string> {
  const server = await openDatabaseServer(settings, log);
  // A database that is killed needs a recovery at the next start.
  shutdown.add('the database server', () => server.stop(), { mustEnd: true });
  return server.url;
}

function bringUpToDate(
  { url, pooler }: DatabaseAddress,
  stop: AbortSignal | undefined,
  log: Logger,
): Promise<readonly string[]> {
  return migrate(url, ormConfig, {
    pooler,
    stop,
    onWait: () => {
      log.info('Waiting for another process, which migrates the database');
    },
  });
}

async function connectDatabase(
  url: string,
  settings: Settings,
  log: Logger,
  shutdown: ShutdownStack,
): Promise<Database> {
  const unavailabilityLog = createUnavailabilityLog(log);
  const database = await openDatabase({
    url,
    pooler: settings.DATABASE_POOLER,
    poolSize: shareConnections(settings.DATABASE_POOL).main,
    orm: ormConfig,
    warn: unavailabilityLog.reportMessage,
    onUnavailable: unavailabilityLog.reportFailure,
  });
  shutdown.add('the database connections', () => database.close());
  return database;
}

/** Starts a clock that follows the database's time, so that processes agree even if the clock of a machine is wrong. */
async function startSharedClock(database: Database, shutdown: ShutdownStack): Promise<Clock> {
  const clock = await startDatabaseClock(database);
  shutdown.add('the clock', () => {
    clock.stop();
  });
  return clock;
}

function createConfiguredMailer(settings: Settings, log: Logger): Mailer {
  return createMailer({
    smtpUrl: settings.SMTP_URL ?? undefined,
    caCertificates: settings.SMTP_CA_FILE,
    from: settings.MAIL_FROM,
    outboxDir: mailOutboxDir(settings),
    log,
    logLinks: settings.NODE_ENV === 'development',
  });
}

function rateLimitsOf(settings: Settings): RateLimitConfig {
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

interface AccountParts {
  readonly settings: Settings;
  readonly log: Logger;
  readonly shared: SharedDeps;
  readonly keys: KeyStore;
  readonly publicUrl: PublicUrl;
  readonly limits: RateLimiter;
  readonly writeQueue: GroupWriteQueue;
  readonly taskHandlers: readonly TaskHandlerDefinition[];
  readonly hasher: PasswordHasher;
}

/** Creates the dependencies of accounts. The functions that accounts need from groups are passed in here. */
function createAccounts(parts: AccountParts, shutdown: ShutdownStack): AccountsDeps {
  const { settings, log, shared, keys, publicUrl, limits, writeQueue, taskHandlers, hasher } = parts;
  const { database, clock } = shared;
  const accessTokenTtlMs = settings.ACCESS_TOKEN_TTL;
  const revocations = new RevocationRegistry({
    database,
    clock,
    accessTokenTtlMs,
    onError: (error) => {
      log.warn({ err: error }, 'Could not publish a session revocation; other processes find it at their next poll');
    },
  });
  shutdown.add('the publisher of session revocations', () => revocations.flush());
  const apiKeyUsage = new ApiKeyUsageRecorder(database, (error) => {
    log.warn({ err: error }, 'Could not record the last use of an API key');
  });
  shutdown.add('the recorder of API key usage', () => apiKeyUsage.flush());
  return {
    ...shared,
    loaders: createAccountLoaders(database),
    hasher,
    limits,
    accessTokens: new AccessTokenService({
      keys,
      clock,
      issuer: publicUrl.href,
      acceptsIssuer: acceptedIssuers(publicUrl.href, settings.PUBLIC_URL !== null),
      audience: AUDIENCE,
      clientId: CLIENT_ID,
      ttlMs: accessTokenTtlMs,
    }),
    revocations,
    apiKeyUsage,
    refreshTokenTtlMs: settings.REFRESH_TOKEN_TTL,
    passwordMinLength: settings.PASSWORD_MIN_LENGTH,
    followUpNames: registrationTaskNames(taskHandlers),
    withInvitedMemberships: (address, work) => withInvitedMemberships({ database, clock, writeQueue }, address, work),
    findMissingGroups: (groupIds) => findMissingGroups(database, groupIds),
  };
}

function createGroups(
  { settings, log, shared, writeQueue }: Pick<AccountParts, 'settings' | 'log' | 'shared' | 'writeQueue'>,
  shutdown: ShutdownStack,
): GroupsDeps {
  const { database, clock } = shared;
  const loaders = createGroupLoaders(database);
  const changeFeed = new ChangeFeed({
    database,
    loaders,
    onError: (error) => {
      log.warn({ err: error }, 'Could not publish a group change; subscribers receive it at the next poll');
    },
  });
  shutdown.add('the publisher of group changes', () => changeFeed.flush());
  return {
    ...shared,
    loaders,
    changeFeed,
    writeQueue,
    responses: new ResponseBatcher({ database, writeQueue, changeFeed, clock }),
    invitationMailQuotas: settings.RATE_LIMITS
      ? { byInviter: settings.LIMIT_INVITER, toAddress: settings.LIMIT_INVITEE }
      : null,
  };
}

/** The address of migrations and listeners. */
export function directAddressOf(url: string, { DATABASE_POOLER, DATABASE_DIRECT_URL }: Settings): DatabaseAddress {
  return DATABASE_DIRECT_URL === null ? { url, pooler: DATABASE_POOLER } : { url: DATABASE_DIRECT_URL };
}
