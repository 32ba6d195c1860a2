#!/usr/bin/env node
import { setUpCompileCache } from '../compile-cache.js';
import { createShutdownSignal } from '../shutdown-signal.js';

const stop = createShutdownSignal();
setUpCompileCache();
const [{ runCli }, { createProcessTerminal }, { loadConfig }] = await Promise.all([
  import('./run-cli.js'),
  import('./terminal/terminal.js'),
  import('../config/index.js'),
]);

process.exitCode = await runCli(process.argv.slice(2), {
  terminal: createProcessTerminal(),
  loadSettings: () => loadConfig(),
  stop,
});
