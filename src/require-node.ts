/** Lowest supported version: `engines` of package.json. */
const LOWEST = [22, 17] as const;
const EXIT_CODE = 1;

/**
 * Requires a supported version of Node, and otherwise ends the process with one sentence.
 *
 * It runs before all other modules, of which some use features that older versions do not have.
 */
export function requireNode(version = process.versions.node): void {
  const problem = findNodeProblem(version);
  if (problem === null) return;
  process.stderr.write(`${problem}\n`);
  process.exit(EXIT_CODE);
}

/** Returns null for a supported version. */
export function findNodeProblem(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [lowestMajor, lowestMinor] = LOWEST;
  if (major > lowestMajor || (major === lowestMajor && minor >= lowestMinor)) return null;
  return (
    `Convene needs Node ${LOWEST.join('.')} or newer, and this is ${version}. Install a newer Node, or use ` +
    '"npm start" and "npm run convene", which run the Node among the packages of the project.'
  );
}
