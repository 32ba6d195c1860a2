import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Keeps what V8 compiles beside the compiled sources, so that the next start need not compile it again.
 *
 * Works only for modules that are imported afterwards. Not in the system's folder for temporary files, where others
 * could leave code for us to run; where the folder cannot be written, every start compiles, and that is all.
 */
export function setUpCompileCache(): void {
  enableCompileCache(fileURLToPath(new URL('../.compile-cache', import.meta.url)));
}
