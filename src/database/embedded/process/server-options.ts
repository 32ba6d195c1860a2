const SETTINGS = {
  // Reachable from this machine only, with a password.
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 100,
  shared_buffers: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The service logs failed statements. The server would log them with personal data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

/** Fast, without durability: a crash of the machine can lose or corrupt the database. */
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '256MB' };

/** Arguments of `postgres`. */
export function serverArguments(cluster: string, port: number, durable: boolean): string[] {
  const settings = { ...SETTINGS, port, ...(durable ? {} : NOT_DURABLE) };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
