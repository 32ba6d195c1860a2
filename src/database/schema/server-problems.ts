import type pg from 'pg';

const MIN_VERSION = 15;
const VERSION_NUMBERS_PER_MAJOR = 10_000;

interface ServerState {
  readonly version: string;
  readonly versionNumber: number;
  readonly encoding: string;
  readonly readonly: boolean;
  readonly schema: string | null;
  readonly mayCreate: boolean | null;
  readonly role: string;
  readonly database: string;
}

const STATE = `
  select current_setting('server_version') as version,
    current_setting('server_version_num')::integer as "versionNumber",
    current_setting('server_encoding') as encoding,
    pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as readonly,
    current_schema() as schema,
    has_schema_privilege(current_schema(), 'CREATE') as "mayCreate",
    current_user as role, current_database() as database`;

/**
 * Says why the service cannot run on a server, each cause in one sentence with its remedy.
 *
 * @param willMigrate whether tables are to be created, which takes a right that the running service does not need
 */
export async function findServerProblems(client: pg.Client, willMigrate: boolean): Promise<string[]> {
  const { rows } = await client.query<ServerState>(STATE);
  const [state] = rows;
  if (state === undefined) throw new Error('The state of the server has no row');
  return [
    versionProblem(state),
    encodingProblem(state),
    writeProblem(state),
    willMigrate ? schemaProblem(state) : null,
  ].filter((problem) => problem !== null);
}

function versionProblem({ version, versionNumber }: ServerState): string | null {
  if (versionNumber >= MIN_VERSION * VERSION_NUMBERS_PER_MAJOR) return null;
  return `The database server is PostgreSQL ${version}: version ${MIN_VERSION} or later is needed.`;
}

function encodingProblem({ encoding, database }: ServerState): string | null {
  if (encoding === 'UTF8') return null;
  return (
    `The database "${database}" has the encoding ${encoding}, which cannot store all text: create another with ` +
    `"create database … encoding 'UTF8' template template0", and name it in DATABASE_URL.`
  );
}

function writeProblem({ readonly }: ServerState): string | null {
  if (!readonly) return null;
  return (
    'The database server accepts no writes, as a standby does not: name the primary in DATABASE_URL, or all hosts ' +
    'with target_session_attrs=read-write.'
  );
}

function schemaProblem({ schema, mayCreate, role, database }: ServerState): string | null {
  if (schema === null)
    return (
      'The search path of the database connection names no schema that exists: create it, or see options in ' +
      'DATABASE_URL.'
    );
  if (mayCreate === true) return null;
  return (
    `The role "${role}" may not create tables in the schema "${schema}" of the database "${database}": as its owner, ` +
    `run "grant create on schema ${schema} to ${role}".`
  );
}
