import { EmbeddedServerError } from './embedded-server-error.js';
import { hasExitCode, runTool, type OsUser } from './run-tool.js';

const NAME = 'postgres';

export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

/**
 * The account `postgres`, made when the machine has none: PostgreSQL refuses to run as root.
 *
 * Only root may call this.
 */
export async function ensurePostgresUser(): Promise<OsUser> {
  return (await findAccount()) ?? (await createAccount());
}

async function findAccount(): Promise<OsUser | null> {
  try {
    const [uid, gid] = await Promise.all([runTool('id', ['-u', NAME]), runTool('id', ['-g', NAME])]);
    return { uid: Number(uid), gid: Number(gid) };
  } catch (error) {
    if (hasExitCode(error)) return null;
    throw error;
  }
}

async function createAccount(): Promise<OsUser> {
  try {
    await runTool('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', NAME]);
  } catch (cause) {
    throw new EmbeddedServerError(
      `PostgreSQL does not run as root, and the system account "${NAME}" could not be made. ` +
        'Make it by hand, start Convene as another user, or set DATABASE_URL.',
      { cause },
    );
  }
  const account = await findAccount();
  if (!account) throw new EmbeddedServerError(`The system account "${NAME}" was made but cannot be found.`);
  return account;
}
