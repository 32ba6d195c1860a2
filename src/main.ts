import { setUpCompileCache } from './compile-cache.js';
import { sizeThreadPool } from './config/thread-pool.js';
import { requireNode } from './require-node.js';
import { exitAfterStop } from './shutdown/exit-after-stop.js';
import { createShutdownSignal } from './shutdown/shutdown-signal.js';

requireNode();
sizeThreadPool();
// Before the imports, because loading is most of the start time, and a signal can arrive meanwhile.
const stop = createShutdownSignal();
setUpCompileCache();
const [{ runService }, { requirePlatform }, { loadConfig }] = await Promise.all([
  import('./run-service.js'),
  import('./require-platform.js'),
  import('./config/index.js'),
]);

process.exitCode = await runService(() => {
  requirePlatform();
  return loadConfig();
}, stop);
exitAfterStop(stop);
