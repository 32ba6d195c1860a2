import { setUpCompileCache } from './compile-cache.js';
import { createShutdownSignal } from './shutdown-signal.js';

// Loading is most of a start, so a signal may come meanwhile.
const stop = createShutdownSignal();
setUpCompileCache();
const [{ serve }, { buildApp }, { loadConfig }] = await Promise.all([
  import('./serve.js'),
  import('./app.js'),
  import('./config/index.js'),
]);

process.exitCode = await serve(async () => buildApp(loadConfig()), stop);
