/** How much the service does at once, in the cost of operations (`GRAPHQL_COST`). */

/** Beyond it an operation is worked on in slices; below it takes about a slice as a whole. */
export const MAX_UNPACED_COST = 500;
/** Beyond it an operation waits for its turn among the large ones. */
export const MAX_FREE_COST = 5_000;
/** Of one caller: the others wait. */
export const MAX_LARGE_AT_ONCE_PER_CALLER = 1;
/** In one process: each holds its rows and its answer in memory. */
export const MAX_LARGE_AT_ONCE = 3;
/** Waiting and running; one caller, and all together. */
export const MAX_LARGE_QUEUED_PER_CALLER = 20;
export const MAX_LARGE_QUEUED = 200;
/** What the events of one person's subscriptions may cost in a second: that of one operation as large as any may be. */
export const EVENT_COST_PER_SECOND_AND_PERSON = 25_000;
/** The same of all subscriptions of a process. */
export const EVENT_COST_PER_SECOND = 50_000;
