import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a service with the default settings imports dynamically. */
export const SERVICE_PARTS = [
  'run-service',
  'require-platform',
  'config/index',
  'serve',
  'app',
  'compose-http-server',
  'jobs/agenda/postgres-job-storage',
];
/** What each command imports dynamically. */
export const COMMAND_PARTS = ['cli/run-cli', 'cli/terminal/terminal'];

/** Returns the files of the bundle by their path from the root, with their contents and imports. */
export function readBundle(root) {
  return JSON.parse(readFileSync(join(root, 'dist', 'bundle.json'), 'utf8')).outputs;
}

/** Returns the file of the bundle that an import of a module in src/ loads. */
export function fileOfPart(outputs, name) {
  const entryPoint = `dist/compiled/src/${name}.js`;
  const file = Object.keys(outputs).find((each) => outputs[each].entryPoint === entryPoint);
  if (file === undefined) throw new Error(`The bundle has no file for ${name}`);
  return file;
}
