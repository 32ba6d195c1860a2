import { setUpCompileCache } from './compile-cache.js';
import { exitAfterStop } from './exit-after-stop.js';
import { requireNode } from './require-node.js';
import { createShutdownSignal } from './shutdown-signal.js';

requireNode();
// Before the imports, because loading is most of the start time, and a signal can arrive meanwhile.
const stop = createShutdownSignal();
setUpCompileCache();
const [{ serve }, { requirePlatform }, { buildApp }, { loadConfig }] = await Promise.all([
  import('./serve.js'),
  import('./require-platform.js'),
  import('./app.js'),
  import('./config/index.js'),
]);

process.exitCode = await serve(async () => {
  requirePlatform();
  return buildApp(loadConfig(), { stop });
}, stop);
exitAfterStop(stop);
