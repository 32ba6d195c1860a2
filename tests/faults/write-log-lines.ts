/**
 * Logs as many lines as its argument says and reports it on standard error, then one more line for each line of
 * standard input. Exits at the end of standard input. Runs as a separate process.
 */
import { createInterface } from 'node:readline';
import { createLogger } from '../../src/output/logger.js';

const log = await createLogger({ LOG_LEVEL: 'info', NODE_ENV: 'production', WEB_CONCURRENCY: 1 });
for (let line = 0; line < Number(process.argv[2]); line += 1) log.info({ line }, 'x'.repeat(200));
process.stderr.write('all lines are logged\n');
for await (const text of createInterface({ input: process.stdin })) {
  log.info({ text }, 'input');
  process.stderr.write('one more line is logged\n');
}
