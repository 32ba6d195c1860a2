import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { say, SetUpError } from './steps.mjs';

/**
 * Makes sure that npm scripts run on a Node that Convene supports: the one among the packages, or the machine's.
 *
 * @throws SetUpError when there is neither
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

/** A packaged Node that cannot run here (another C library) would only hide the machine's own, so it goes. */
export function removeUnusableNode(root) {
  const node = packagedNode(root);
  if (!existsSync(node) || spawnSync(node, ['--version']).status === 0) return;
  say("The packaged Node does not run on this machine; using the machine's own.");
  rmSync(node);
}

function packagedNode(root) {
  return join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
}

/** `engines` says `>=22.17`: its numbers are the one place where the version is kept. */
function neededVersion(root) {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.replace(/[^\d.]/g, '');
}

function isAtLeast(version, needed) {
  const [major, minor] = version.split('.').map(Number);
  const [neededMajor, neededMinor] = needed.split('.').map(Number);
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}
