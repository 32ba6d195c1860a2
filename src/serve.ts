import type { App } from './app.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs the service until a signal stops it; the process then ends by itself, because nothing keeps it. */
export async function serve(build: () => Promise<App>): Promise<void> {
  try {
    const app = await build();
    for (const signal of SIGNALS) process.once(signal, () => void stop(app));
    await app.listen();
    console.log(greeting(app));
  } catch (error) {
    fail(error);
  }
}

async function stop(app: App): Promise<void> {
  console.log('\nStopping …');
  try {
    await app.close();
  } catch (error) {
    fail(error);
  }
}

function greeting({ publicUrl, migrated, settings }: App): string {
  const where = [
    ['GraphQL', `${publicUrl}/graphql   (a browser gets GraphiQL)`],
    ['REST', `${publicUrl}/api/auth/me and six more   (docs/rest.md)`],
    ['Start page', `${publicUrl}/`],
    ['Mail', settings.SMTP_URL === null ? `written to ${settings.DATA_DIR}/outbox` : 'sent through SMTP_URL'],
    ['Next', 'npm run demo   plays the main job; docs/ explains the rest'],
  ] as const;
  const lines = where.map(([name, text]) => `  ${name.padEnd(11)}${text}`);
  const news = migrated.length === 0 ? [] : [`  Database   brought up to date (${migrated.join(', ')})`];
  return ['', `Convene serves on ${publicUrl}. Ctrl-C stops it.`, ...lines, ...news, ''].join('\n');
}

/** What people can act on is said in one sentence; a bug is shown whole. */
function fail(error: unknown): void {
  console.error(error instanceof Error && hasAdvice(error) ? error.message : error);
  process.exitCode = 1;
}

function hasAdvice(error: Error): boolean {
  return ['ConfigError', 'EmbeddedServerError'].includes(error.name);
}
