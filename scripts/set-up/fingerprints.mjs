import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Lists the files under a folder, as paths from the root. */
export function filesUnder(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)));
}

/** Returns the hash of each file by its path from the root. */
export function fingerprintsOf(root, files) {
  return Object.fromEntries([...files].sort().map((file) => [file, hash(readFileSync(join(root, file)))]));
}

/**
 * Runs `build` unless the stamp file records the same fingerprints, and then records them.
 *
 * The stamp is removed before and written after `build`, so a failed build counts as stale.
 */
export function buildUnlessFresh(stamp, fingerprints, build) {
  const recorded = JSON.stringify(fingerprints);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === recorded) return;
  rmSync(stamp, { force: true });
  build();
  writeFileSync(stamp, recorded);
}

function hash(content) {
  return createHash('sha256').update(content).digest('base64');
}
