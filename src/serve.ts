import { once } from 'node:events';
import type { App } from './app.js';
import { isGraphiqlEnabled, mailOutboxDir } from './config/index.js';
import { explainOperationalError } from './explain-operational-error.js';

/**
 * Runs the service until `stop` is aborted.
 *
 * An abort during the start takes effect when the start is complete, within about 2 s. Reason: an interrupted start
 * would leave parts behind.
 *
 * @returns the exit code of the process: 1 when the service could not start, or could not stop cleanly
 */
export async function serve(build: () => Promise<App>, stop: AbortSignal): Promise<0 | 1> {
  try {
    const app = await build();
    try {
      if (!stop.aborted) await listenUntil(app, stop);
    } finally {
      await app.close();
    }
    return 0;
  } catch (error) {
    console.error(explainOperationalError(error) ?? error);
    return 1;
  }
}

async function listenUntil(app: App, stop: AbortSignal): Promise<void> {
  await app.listen();
  console.log(greeting(app));
  if (!stop.aborted) await once(stop, 'abort');
  console.log('\nStopping …');
}

function greeting({ publicUrl, migrated, settings }: App): string {
  const entries = [
    [isGraphiqlEnabled(settings) ? 'GraphiQL' : 'GraphQL', `${publicUrl}/graphql   (docs/graphql.md)`],
    ['REST', `${publicUrl}/api/auth/me and six more   (docs/rest.md)`],
    ['Start page', `${publicUrl}/   (leads to all that is served)`],
    ['Mail', settings.SMTP_URL === null ? `written to ${mailOutboxDir(settings)}` : 'sent through SMTP_URL'],
    ['Next', 'npm run demo   plays the main job; docs/ explains the rest'],
  ] as const;
  const lines = entries.map(([name, text]) => `  ${name.padEnd(11)}${text}`);
  const migrationLines = migrated.length === 0 ? [] : [`  Database   brought up to date (${migrated.join(', ')})`];
  return ['', `Convene serves on ${publicUrl}. Ctrl-C stops it.`, ...lines, ...migrationLines, ''].join('\n');
}
