import { setUpCompileCache } from './compile-cache.js';
import { createShutdownSignal } from './shutdown-signal.js';

// Before the imports, because loading is most of the start time, and a signal can arrive meanwhile.
const stop = createShutdownSignal();
setUpCompileCache();
const [{ serve }, { buildApp }, { loadConfig }] = await Promise.all([
  import('./serve.js'),
  import('./app.js'),
  import('./config/index.js'),
]);

process.exitCode = await serve(async () => buildApp(loadConfig()), stop);
