import { buildApp } from './app.js';
import { loadConfig } from './config/index.js';
import { serve } from './serve.js';

await serve(() => buildApp(loadConfig()));
