import { once } from 'node:events';
import type { App } from './app.js';
import { isGraphiqlEnabled, mailOutboxDir } from './config/index.js';
import { MigrationInterruptedError } from './database/index.js';
import { describeFailure } from './explain-operational-error.js';
import { PRINTED_EVENTS, type ServiceEvents } from './output/service-events.js';
import { tuneGarbageCollection } from './tune-garbage-collection.js';

/**
 * Runs the service until `stop` is aborted.
 *
 * An abort during the start takes effect when the start is complete, within about 2 s. Reason: an interrupted start
 * would leave parts behind.
 *
 * @returns the exit code of the process: 1 when the service could not start, or could not stop cleanly
 */
export async function serve(
  build: () => Promise<App>,
  stop: AbortSignal,
  events: ServiceEvents = PRINTED_EVENTS,
): Promise<0 | 1> {
  try {
    const app = await build();
    try {
      if (!stop.aborted) await listenUntil(app, stop, events);
    } finally {
      await app.close();
    }
    return 0;
  } catch (error) {
    if (stop.aborted && error instanceof MigrationInterruptedError) return 0;
    events.onFailure(describeFailure(error));
    return 1;
  }
}

async function listenUntil(app: App, stop: AbortSignal, events: ServiceEvents): Promise<void> {
  const address = await app.listen();
  // After the start, because V8 ignores code that was compiled under other flags.
  tuneGarbageCollection();
  events.onListening(greeting(app, address));
  if (!stop.aborted) await once(stop, 'abort');
  events.onStopping();
}

/** Pages for people, by the name under which the greeting lists those that are served. */
const PAGES = [
  ['Start page', '/'],
  ['Web client', '/app'],
  ['API docs', '/api/docs'],
  ['Manual', '/docs'],
] as const;

/** @param address the URL of the socket, which a proxy in front of the service connects to */
function greeting({ publicUrl, migrated, settings, server }: App, address: string): string {
  const pages = PAGES.filter(([, url]) => server.hasRoute({ method: 'GET', url }));
  const entries = [
    ...pages.map(([name, path]) => [name, publicUrl.urlOf(path)] as const),
    [isGraphiqlEnabled(settings) ? 'GraphiQL' : 'GraphQL', publicUrl.urlOf('/graphql')],
    ['Mail', settings.SMTP_URL === null ? `written to ${mailOutboxDir(settings)}` : 'sent through SMTP_URL'],
    ['Next', 'README.md has the first requests; "npm run demo" runs through the main use cases'],
    ...(settings.PUBLIC_URL === null ? [] : [['Listening', `${address}   (for the proxy of PUBLIC_URL)`] as const]),
  ] as const;
  const lines = entries.map(([name, text]) => `  ${name.padEnd(11)}${text}`);
  const migrationLines = migrated.length === 0 ? [] : [`  Database   brought up to date (${migrated.join(', ')})`];
  return ['', `Convene serves on ${publicUrl.href}. Ctrl-C stops it.`, ...lines, ...migrationLines, ''].join('\n');
}
