/**
 * Removes the environment variables that set defaults of PostgreSQL connections (`PGSSLMODE`, `PGOPTIONS`, …) from this
 * process.
 *
 * Reason: a process that uses the embedded server connects to no other one. `pg` 8.23 reads each of these variables
 * where a URL does not set the value, and the URL cannot set all of them.
 */
export function removeLibpqVariables(): void {
  for (const name of Object.keys(process.env).filter((each) => each.startsWith('PG')))
    Reflect.deleteProperty(process.env, name);
}
