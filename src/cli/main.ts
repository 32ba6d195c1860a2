#!/usr/bin/env node
import { setUpCompileCache } from '../compile-cache.js';
import { requireNode } from '../require-node.js';
import { exitAfterStop } from '../shutdown/exit-after-stop.js';
import { createShutdownSignal } from '../shutdown/shutdown-signal.js';
import { reportLostOutput } from './terminal/report-lost-output.js';

requireNode();
const stop = createShutdownSignal();
setUpCompileCache();
const [{ runCli }, { createProcessTerminal }, { requirePlatform }, { loadConfig }] = await Promise.all([
  import('./run-cli.js'),
  import('./terminal/terminal.js'),
  import('../require-platform.js'),
  import('../config/index.js'),
]);

reportLostOutput();
process.exitCode = await runCli(process.argv.slice(2), {
  terminal: createProcessTerminal(),
  loadSettings: () => {
    requirePlatform();
    return loadConfig();
  },
  stop,
});
exitAfterStop(stop);
