import { keepCompiledCode } from './compile-cache.js';
import { stopSignal } from './stop-signal.js';

// Loading is most of a start, so a signal may come meanwhile.
const stop = stopSignal();
keepCompiledCode();
const [{ serve }, { buildApp }, { loadConfig }] = await Promise.all([import('./serve.js'), import('./app.js'), import('./config/index.js')]);

process.exitCode = await serve(async () => buildApp(loadConfig()), stop);
