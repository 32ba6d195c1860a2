import type pg from 'pg';
import { isError } from '../../errors/index.js';
import type { DatabaseTarget } from '../address/database-target.js';
import { routesTo, type Route } from '../address/routes.js';
import { requireSessionAttributes } from './session-attributes.js';

/** No host of the URL could be used. */
class NoUsableHostError extends Error {
  readonly code = 'ENOHOST';
}

/**
 * Finds the host and the kind of connection to use, and keeps them until they fail.
 *
 * It tries each on a connection of its own, which it closes again, because a client of pg connects only once.
 */
export class RouteFinder {
  readonly #target: DatabaseTarget;
  readonly #routes: readonly Route[];
  readonly #createClient: (route: Route) => pg.Client;
  #found: Promise<Route> | null = null;

  constructor(target: DatabaseTarget, createClient: (route: Route) => pg.Client) {
    this.#target = target;
    this.#routes = routesTo(target);
    this.#createClient = createClient;
  }

  /** @throws Error of the driver, or NoUsableHostError when the URL names several hosts */
  find(): Promise<Route> {
    const [only, ...others] = this.#routes;
    if (only !== undefined && others.length === 0) return Promise.resolve(only);
    return (this.#found ??= this.#search());
  }

  /** Has the next `find` try all of them again. */
  forget(): void {
    this.#found = null;
  }

  async #search(): Promise<Route> {
    const failures: Error[] = [];
    for (const route of this.#routes) {
      const failure = await this.#try(route);
      if (failure === null) return route;
      failures.push(failure);
    }
    this.forget();
    throw this.#summarize(failures);
  }

  async #try(route: Route): Promise<Error | null> {
    const client = this.#createClient(route);
    try {
      await client.connect();
      await requireSessionAttributes(client, this.#target.sessionAttributes);
      return null;
    } catch (error) {
      return isError(error) ? error : new Error(String(error));
    } finally {
      await client.end();
    }
  }

  /** Of one host, the refusal of PostgreSQL itself says more than that of the attempt with, or without, TLS. */
  #summarize(failures: readonly Error[]): Error {
    const [first = new NoUsableHostError('The URL of the database names no host')] = failures;
    if (this.#target.hosts.length === 1)
      return failures.find((failure) => 'severity' in failure) ?? failures.at(-1) ?? first;
    const reasons = failures.map(({ message }, index) => {
      const { host = '', port = 0 } = this.#routes[index] ?? {};
      return `${host}:${port}: ${message}`;
    });
    return new NoUsableHostError(`No host of the database can be used; ${[...new Set(reasons)].join('; ')}`);
  }
}
