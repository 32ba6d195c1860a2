#!/usr/bin/env node
import { setUpCompileCache } from '../compile-cache.js';
import { createShutdownSignal } from '../shutdown-signal.js';
import { reportLostOutput } from './terminal/report-lost-output.js';

const stop = createShutdownSignal();
setUpCompileCache();
const [{ runCli }, { createProcessTerminal }, { loadConfig }] = await Promise.all([
  import('./run-cli.js'),
  import('./terminal/terminal.js'),
  import('../config/index.js'),
]);

reportLostOutput();
process.exitCode = await runCli(process.argv.slice(2), {
  terminal: createProcessTerminal(),
  loadSettings: () => loadConfig(),
  stop,
});
