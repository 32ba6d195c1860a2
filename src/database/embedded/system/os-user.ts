import { EmbeddedServerError } from './embedded-server-error.js';
import { hasExitCode, runTool, type OsUser } from './run-tool.js';

const NAME = 'postgres';

export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

/**
 * Finds or creates the OS user `postgres`, because PostgreSQL does not run as root. Requires root.
 *
 * @throws EmbeddedServerError when the user cannot be created
 */
export async function ensurePostgresUser(): Promise<OsUser> {
  return (await findPostgresUser()) ?? (await createPostgresUser());
}

async function findPostgresUser(): Promise<OsUser | null> {
  try {
    const [uid, gid] = await Promise.all([runTool('id', ['-u', NAME]), runTool('id', ['-g', NAME])]);
    return { uid: Number(uid), gid: Number(gid) };
  } catch (error) {
    if (hasExitCode(error)) return null;
    throw error;
  }
}

async function createPostgresUser(): Promise<OsUser> {
  try {
    await runTool('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', NAME]);
  } catch (cause) {
    throw new EmbeddedServerError(
      `PostgreSQL does not run as root, and the system user "${NAME}" could not be created. ` +
        'Create it, start Convene as another user, or set DATABASE_URL.',
      { cause },
    );
  }
  const created = await findPostgresUser();
  if (!created) throw new EmbeddedServerError(`The system user "${NAME}" was created but cannot be found.`);
  return created;
}
