import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeUnusableNode } from './node-version.mjs';
import { run, say, SetUpError } from './steps.mjs';

/**
 * Runs `npm ci` when what is installed is not what package-lock.json names.
 *
 * npm writes down what it has installed, as its last act, in node_modules/.package-lock.json. Comparing the two
 * needs no times (a checkout sets them at will), accepts an `npm install` made by hand, and sees an install cut short.
 */
export function installIfStale(root) {
  const wanted = readPackages(join(root, 'package-lock.json'));
  if (!wanted) throw new SetUpError('package-lock.json is missing: this is not a whole copy of the project.');
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (installed && isSame(wanted, installed)) return;
  say(installed ? 'Installing packages: package-lock.json has changed.' : 'Installing packages (about half a minute).');
  install(root);
  removeUnusableNode(root);
}

function readPackages(lockFile) {
  if (!existsSync(lockFile)) return null;
  const { '': _project, ...packages } = JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  return packages;
}

/** Optional packages may be absent (most are for other platforms); nothing may be there that is not named. */
function isSame(wanted, installed) {
  const names = new Set([...Object.keys(wanted), ...Object.keys(installed)]);
  return [...names].every((name) => {
    if (!installed[name]) return wanted[name].optional === true;
    return wanted[name]?.version === installed[name].version && wanted[name].integrity === installed[name].integrity;
  });
}

/** Development packages too, also where NODE_ENV is production: the compiler is one of them. */
function install(root) {
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const [program, ...args] = [...npm, 'ci', '--include=dev', '--loglevel=error'];
  run(root, program, args, 'npm could not install the packages; its message above says why.');
}
