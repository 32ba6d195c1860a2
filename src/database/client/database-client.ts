import pg from 'pg';
import { startPatientTimer } from '../../async/patient-timer.js';
import { OperatorError } from '../../errors/index.js';
import type { DatabaseTarget } from '../address/database-target.js';
import { parseDatabaseUrl } from '../address/parse-database-url.js';
import { routesTo, type Route } from '../address/routes.js';
import { tlsOptions } from '../address/tls-options.js';
import type { ClientOptions } from './client-options.js';
import { requireChannelBinding } from './require-channel-binding.js';
import { RouteFinder } from './route-finder.js';
import { sendUnnamed } from './send-unnamed.js';
import { requireSessionAttributes } from './session-attributes.js';
import { limitSilence } from './silence-limit.js';

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/** A constructor of clients, as `pg.Pool` takes one; the configuration adds what the URL does not say. */
export type DatabaseClientClass = new (config?: pg.ClientConfig) => pg.Client;

const CONNECT_TIMEOUT_MS = 2_000;
/** Shorter, so that another host is reached while the request waits. */
const CONNECT_TIMEOUT_OF_SEVERAL_MS = 1_000;
/** A peer that has gone silent never confirms the end. */
const CLOSE_LIMIT_MS = 500;

/** Creates a client that is not connected. @throws OperatorError when the URL is not understood */
export function createDatabaseClient(options: ClientOptions): pg.Client {
  return new (databaseClientClass(options))();
}

/**
 * Creates the class of the clients of one database. Every connection of the service is one of these, so that one parser
 * understands its URL.
 *
 * @throws OperatorError when the URL is not understood
 */
export function databaseClientClass(options: ClientOptions): DatabaseClientClass {
  const target = parseDatabaseUrl(options.url);
  requirePassableOptions(target, options);
  const [firstRoute] = routesTo(target);
  const routes = new RouteFinder(target, (route) => new RoutedClient({}, route));

  class RoutedClient extends pg.Client {
    readonly #route: Route | null;

    /** @param route null for the one that works */
    constructor(config: pg.ClientConfig = {}, route: Route | null = null) {
      super({ ...config, ...firstRoute, ...fixedConfig(target) });
      this.#route = route;
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<pg.Client> | void {
      const connecting = this.#connect();
      if (callback === undefined) return connecting;
      // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- two types of one function
      const done = callback as (error: Error | null, client?: pg.Client) => void;
      connecting.then(
        (client) => {
          done(null, client);
        },
        (error: unknown) => {
          // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- all that is thrown here is an error
          done(error as Error);
        },
      );
    }

    override end(): Promise<void>;
    override end(callback: (error: Error) => void): void;
    override end(callback?: (error: Error) => void): Promise<void> | void {
      const timer = setTimeout(() => {
        this.connection.stream.destroy();
      }, CLOSE_LIMIT_MS).unref();
      this.once('end', () => {
        clearTimeout(timer);
      });
      return callback === undefined ? super.end() : super.end(callback);
    }

    /** Replaces the driver's, which reads `PGOPTIONS` and other variables of the environment. */
    override getStartupConf(): Record<string, string> {
      return startupParameters(target, options);
    }

    async #connect(): Promise<pg.Client> {
      try {
        await this.#connectTo(this.#route ?? (await routes.find()));
        if (this.#route === null) await requireSessionAttributes(this, target.sessionAttributes);
        return this;
      } catch (error) {
        if (this.#route === null) routes.forget();
        this.connection.stream.destroy();
        throw error;
      }
    }

    async #connectTo(route: Route): Promise<void> {
      if (this.connection.stream.destroyed) throw new Error('timeout expired');
      Object.assign(this, { host: route.host, port: route.port, ssl: route.tls });
      Object.assign(this.connection, { ssl: route.tls && tlsOptions(target.tls, route.host) });
      if (target.channelBinding === 'require') requireChannelBinding(this);
      const stopTimer = startPatientTimer(connectTimeoutMs(target), () => {
        this.connection.stream.destroy(new Error('timeout expired'));
      });
      await super.connect().finally(stopTimer);
      if (options.pooler === 'session') await applySettings(this, options.settings ?? {});
      if (options.pooler === 'transaction') sendUnnamed(this);
      if (options.silenceLimitMs !== undefined) limitSilence(this, options.silenceLimitMs);
    }
  }
  return RoutedClient;
}

function connectTimeoutMs({ hosts, connectTimeoutMs: wanted }: DatabaseTarget): number {
  return wanted ?? (hosts.length > 1 ? CONNECT_TIMEOUT_OF_SEVERAL_MS : CONNECT_TIMEOUT_MS);
}

/** @throws OperatorError for options that the pooler does not pass on */
function requirePassableOptions({ options, user }: DatabaseTarget, { pooler = 'none' }: ClientOptions): void {
  if (pooler === 'none' || options === '') return;
  throw new OperatorError(
    'DATABASE_URL has options, which a pooler does not pass on to the server: set them for the role instead, as in ' +
      `"alter role ${user} set search_path = …".`,
  );
}

async function applySettings(client: pg.Client, settings: Readonly<Record<string, string>>): Promise<void> {
  const [names, values] = [Object.keys(settings), Object.values(settings)];
  await client.query('select set_config(name, value, false) from unnest($1::text[], $2::text[]) as _ (name, value)', [
    names,
    values,
  ]);
}

/** Each is set, because the driver reads the variables `PG…` of the environment for those that are not. */
function fixedConfig({ user, password, database, channelBinding }: DatabaseTarget): pg.ClientConfig {
  return {
    user,
    password: () => password ?? '',
    database,
    ssl: false,
    sslnegotiation: 'postgres',
    enableChannelBinding: channelBinding !== 'disable',
    // The timer of the driver expires when the event loop is blocked, as it is at the start of the service.
    connectionTimeoutMillis: 0,
    keepAlive: true,
  };
}

/** The options of the URL come last and so prevail. */
function startupParameters(
  { user, database, applicationName, options }: DatabaseTarget,
  { purpose, pooler = 'none', settings = {} }: ClientOptions,
): Record<string, string> {
  const words = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const all = [...words, options].join(' ').trim();
  return {
    user,
    database,
    application_name: `${applicationName} ${purpose}`.trim(),
    // PgBouncer rejects a connection that has them.
    ...(pooler === 'none' && all !== '' && { options: all }),
  };
}
