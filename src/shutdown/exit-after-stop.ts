/** For output that is still being written. */
const LAST_OUTPUT_MS = 500;

/**
 * Ends the process after a stop, even if something keeps it alive: a connection to a server that has gone silent does
 * so for seconds. A process that ends by itself is not delayed.
 */
export function exitAfterStop(stop: AbortSignal): void {
  if (!stop.aborted) return;
  setTimeout(() => {
    process.exit();
  }, LAST_OUTPUT_MS).unref();
}
