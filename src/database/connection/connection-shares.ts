/** How the connections of one process are divided. */
export interface ConnectionShares {
  /** For requests and tasks. */
  readonly main: number;
  /** For Agenda. */
  readonly jobs: number;
}

/** Each has a connection of its own: session revocations, group changes and jobs. */
const LISTENERS = 3;
const MAX_JOBS = 3;
const JOBS_SHARE = 5;
const MIN_MAIN = 2;

/** The least that a process needs. */
export const MIN_CONNECTIONS = LISTENERS + 1 + MIN_MAIN;

/** @param total connections of one process, at least `MIN_CONNECTIONS` */
export function shareConnections(total: number): ConnectionShares {
  const jobs = Math.min(MAX_JOBS, Math.max(1, Math.floor(total / JOBS_SHARE)));
  return { main: total - LISTENERS - jobs, jobs };
}
