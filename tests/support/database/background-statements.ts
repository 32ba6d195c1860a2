/** Names of the statements that the jobs, the clock and the feeds run while requests are served. */
export const BACKGROUND_STATEMENTS: ReadonlySet<string> = new Set([
  'database_now',
  'due_tasks',
  'claim_tasks',
  'complete_tasks',
  'open_verifications',
  'record_registrations',
  'jobs_listener_alive',
  'revocations_since',
  'watched_group_heads',
  'signing_keys',
]);

export function isBackgroundStatement(name: string): boolean {
  return BACKGROUND_STATEMENTS.has(name);
}
