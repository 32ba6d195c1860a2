// Not by name: Node 20, which has no such export, is rejected with a sentence.
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Turns on Node's module compile cache, so that the next start need not compile the modules that are imported after
 * this.
 *
 * The cache lies beside the compiled sources. In the system's temporary folder, another user could place code that the
 * service runs. When the folder is not writable, every start compiles.
 */
export function setUpCompileCache(): void {
  nodeModule.enableCompileCache(fileURLToPath(new URL('../.compile-cache', import.meta.url)));
}
