const SETTINGS = {
  // Reachable from this machine only, with a password.
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
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

const MIN_CONNECTIONS = 100;
/** For commands beside the service, and for the migrations. */
const SPARE_CONNECTIONS = 20;

interface ServerUse {
  readonly durable: boolean;
  /** Connections of the service. */
  readonly connections: number;
}

/** Arguments of `postgres`. */
export function serverArguments(cluster: string, port: number, { durable, connections }: ServerUse): string[] {
  const max_connections = Math.max(MIN_CONNECTIONS, connections + SPARE_CONNECTIONS);
  const settings = { ...SETTINGS, port, max_connections, ...(durable ? {} : NOT_DURABLE) };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
