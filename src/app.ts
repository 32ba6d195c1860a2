import { hostname } from 'node:os';
import type { FastifyInstance } from 'fastify';
import { accountRetentionRules, startKeyReload } from './accounts/index.js';
import { createHealthMonitor } from './async/health-monitor.js';
import type { Settings } from './config/index.js';
import { redactErrorMessage } from './database/errors/redact-error.js';
import { requireConnections, shareConnections, startPruning } from './database/index.js';
import { GROUP_RETENTION_RULES } from './groups/index.js';
import { stopServer } from './http/stop-server.js';
import { startJobs, type Jobs } from './jobs/index.js';
import { openCore, type Core, type Overrides } from './open-core.js';
import { choosePort } from './processes/choose-port.js';
import { ShutdownStack } from './shutdown/shutdown-stack.js';

export interface App extends Core {
  readonly server: FastifyInstance;
  readonly jobs: Jobs;
  /** Starts to listen and returns the URL. */
  listen(): Promise<string>;
}

/** Builds the whole service. It serves after `listen`. */
export async function buildApp(wantedSettings: Settings, overrides: Overrides = {}): Promise<App> {
  const shutdown = new ShutdownStack();
  const settings = { ...wantedSettings, PORT: await choosePort(wantedSettings) };
  // The transports are half of all code, so they load while the database starts.
  const [core, { composeHttpServer }] = await Promise.all([
    openCore(settings, overrides, shutdown),
    import('./compose-http-server.js'),
  ]);
  return shutdown.stopOnFailure(async () => {
    // A pooler shares the connections of the server among the processes.
    if (settings.DATABASE_POOLER === 'none') await requireConnections(core.database, settings);
    if (!settings.RATE_LIMITS) core.log.warn('RATE_LIMITS is off; the number of password guesses is unlimited');

    // Followers of other processes: they start before the first request, which may use a revoked token or a new key.
    followSigningKeys(core, shutdown);
    await followRevocations(core, shutdown);
    await followGroupChanges(core, shutdown);

    // Deletes what nothing reads any more, so its place in this list is free.
    startRetention(core, shutdown);

    // Before the server, so that the tasks of the first request run immediately.
    const jobs = await startTaskJobs(core, shutdown);

    // Last, and so stopped first: a request may use every other part.
    const server = await composeHttpServer(core);
    shutdown.add('the HTTP server', () => stopServer(server));

    return { ...core, jobs, server, listen: () => server.listen({ port: settings.PORT, host: settings.HOST }) };
  });
}

/** Reloads the signing keys at intervals, because another process may rotate them. */
function followSigningKeys({ keys, log }: Core, shutdown: ShutdownStack): void {
  const reload = startKeyReload(keys, (error) => {
    log.warn({ err: error }, 'Could not reload the signing keys');
  });
  shutdown.add('the key reload', () => reload.stop());
}

async function followRevocations({ accounts, directAddress, log }: Core, shutdown: ShutdownStack): Promise<void> {
  const health = createHealthMonitor(log, 'The list of revoked sessions', redactErrorMessage);
  const listener = await accounts.revocations.start(directAddress.url, health, directAddress.pooler);
  shutdown.add('the listener for session revocations', () => listener.stop());
}

async function followGroupChanges({ groups, directAddress, log }: Core, shutdown: ShutdownStack): Promise<void> {
  const health = createHealthMonitor(log, 'The feed of group changes', redactErrorMessage);
  const listener = await groups.changeFeed.start(directAddress.url, health, directAddress.pooler);
  shutdown.add('the listener for group changes', () => listener.stop());
}

function startRetention({ settings, database, accounts, log }: Core, shutdown: ShutdownStack): void {
  const pruning = startPruning({
    database,
    clock: accounts.clock,
    outdated: [
      ...accountRetentionRules({
        accessTokenTtlMs: settings.ACCESS_TOKEN_TTL,
        auditRetentionMs: settings.AUDIT_RETENTION,
      }),
      ...GROUP_RETENTION_RULES,
    ],
    onError: (error) => {
      log.warn({ err: error }, 'Could not prune expired rows');
    },
  });
  shutdown.add('the pruning', () => pruning.stop());
}

async function startTaskJobs(core: Core, shutdown: ShutdownStack): Promise<Jobs> {
  const { settings, databaseUrl, directAddress, database, accounts, log, taskHandlers, taskDispatcher } = core;
  const jobs = await startJobs({
    backend: settings.JOBS_BACKEND,
    databaseUrl,
    pooler: settings.DATABASE_POOLER,
    listenAddress: directAddress,
    maxConnections: shareConnections(settings.DATABASE_POOL).jobs,
    mongodbUri: settings.MONGODB_URI,
    database,
    clock: accounts.clock,
    log,
    handlers: taskHandlers,
    workerName: `${hostname()}:${String(process.pid)}`,
  });
  shutdown.add('the jobs', () => jobs.stop());
  taskDispatcher.connect(jobs);
  return jobs;
}
