import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { say, SetUpError } from './steps.mjs';

/**
 * Requires a Node that Convene supports: that of the packages, or that of the machine.
 *
 * @throws SetUpError when neither is supported
 */
export function requireNode(root) {
  if (existsSync(packagedNode(root))) return;
  const needed = neededVersion(root);
  if (isAtLeast(process.versions.node, needed)) return;
  throw new SetUpError(
    `Convene needs Node ${needed} or newer. This machine has ${process.versions.node}, and there is no packaged Node ` +
      `for ${process.platform}-${process.arch}.\nInstall a newer Node (https://nodejs.org) and run this again.`,
  );
}

/** Returns the Node that runs the service: that of the packages, or else that of the machine. */
export function serviceNode(root) {
  const node = packagedNode(root);
  return existsSync(node) ? node : process.execPath;
}

/** Removes a packaged Node that cannot run here (another C library), since it would hide that of the machine. */
export function removeUnusableNode(root) {
  const node = packagedNode(root);
  if (!existsSync(node) || spawnSync(node, ['--version']).status === 0) return;
  say("The packaged Node does not run on this machine; using the machine's own.");
  rmSync(node);
}

function packagedNode(root) {
  return join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
}

/** Reads the numbers of `engines` (`>=22.17`). */
function neededVersion(root) {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.replace(/[^\d.]/g, '');
}

function isAtLeast(version, needed) {
  const [major, minor] = version.split('.').map(Number);
  const [neededMajor, neededMinor] = needed.split('.').map(Number);
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}
