// Appends the URL of each file that the process loads to the file that the environment variable names.
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith('file:')) appendFileSync(process.env.LOADED_FILES, `${url}\n`);
    return nextLoad(url, context);
  },
});
