import type pg from 'pg';

/**
 * Has a client send all statements without a name. Reason: a transaction pooler gives each transaction another session
 * of the server, which does not know the statements that were prepared in the one before.
 */
export function sendUnnamed(client: pg.Client): void {
  const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown;
  Object.assign(client, { query: (config: unknown, ...rest: unknown[]) => query(withoutName(config), ...rest) });
}

/** A submittable, such as a cursor, has no name that the driver would send. */
function withoutName(config: unknown): unknown {
  return typeof config === 'object' && config !== null && 'name' in config && !('submit' in config)
    ? { ...config, name: undefined }
    : config;
}
