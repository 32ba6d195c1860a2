const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Creates an AbortSignal that the first SIGINT, SIGTERM or SIGHUP aborts.
 *
 * Further signals are ignored. Reason: npm forwards signals, so that one Ctrl-C arrives twice, and a process that dies
 * while it stops would leave its PostgreSQL running.
 */
export function createShutdownSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of SIGNALS)
    process.on(signal, () => {
      controller.abort();
    });
  return controller.signal;
}
