import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeUnusableNode } from './node-version.mjs';
import { run, say, SetUpError } from './steps.mjs';

/**
 * Runs `npm ci` when the installed packages are not those of package-lock.json.
 *
 * npm ends an installation by writing node_modules/.package-lock.json. Comparing the two files needs no file times,
 * accepts a manual `npm install`, and detects an interrupted installation.
 */
export function installIfStale(root) {
  installUnlessFresh(root, ['--include=dev'], () => removeUnusableNode(root));
}

/** Does the same for the programs that `npm run bench` compares with, whose install scripts are not needed. */
export function installComparisonIfStale(root) {
  installUnlessFresh(join(root, 'bench', 'comparison'), ['--ignore-scripts']);
}

/** Does the same for the packages of `npm run conformance`, whose install scripts are not needed. */
export function installConformanceIfStale(root) {
  installUnlessFresh(join(root, 'tests', 'conformance'), ['--ignore-scripts']);
}

function installUnlessFresh(folder, options, afterwards = () => undefined) {
  const wanted = readPackages(join(folder, 'package-lock.json'));
  if (!wanted) throw new SetUpError('package-lock.json is missing: this is not a whole copy of the project.');
  const installed = readPackages(join(folder, 'node_modules', '.package-lock.json'));
  if (installed && isSame(wanted, installed)) return;
  const reason = installed ? 'package-lock.json has changed' : 'about half a minute';
  say(`Installing the packages of ${join(folder, 'package.json')} (${reason}).`);
  install(folder, options);
  afterwards();
}

function readPackages(lockFile) {
  if (!existsSync(lockFile)) return null;
  const { '': _project, ...packages } = JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  return packages;
}

/** Optional packages may be absent (most are for other platforms). Packages that are not listed may not be present. */
function isSame(wanted, installed) {
  const names = new Set([...Object.keys(wanted), ...Object.keys(installed)]);
  return [...names].every((name) => {
    if (!installed[name]) return wanted[name].optional === true;
    return wanted[name]?.version === installed[name].version && wanted[name].integrity === installed[name].integrity;
  });
}

/** Includes development packages, such as the compiler, also when NODE_ENV is production. */
function install(folder, options) {
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const [program, ...args] = [...npm, 'ci', ...options, '--loglevel=error'];
  run(folder, program, args, 'npm could not install the packages; its message above says why.');
}
