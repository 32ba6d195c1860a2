#!/usr/bin/env node
import { keepCompiledCode } from '../compile-cache.js';
import { stopSignal } from '../stop-signal.js';

const stop = stopSignal();
keepCompiledCode();
const [{ runCli }, { processTerminal }, { loadConfig }] = await Promise.all([
  import('./run-cli.js'), import('./terminal.js'), import('../config/index.js'),
]);

process.exitCode = await runCli(process.argv.slice(2), { terminal: processTerminal(), loadSettings: () => loadConfig(), stop });
