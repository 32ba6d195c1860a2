const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Aborted by the first signal that asks this process to end.
 *
 * Further ones are ignored: npm passes signals on, so that one Ctrl-C arrives twice, and a process that dies while
 * it stops would leave its PostgreSQL behind.
 */
export function createShutdownSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of SIGNALS)
    process.on(signal, () => {
      stopping.abort();
    });
  return stopping.signal;
}
