/**
 * Waits for the work for at most `limitMs`. The work itself continues after that, and its outcome is ignored.
 * The timer does not keep the process alive.
 *
 * Without an abort signal, because each end of a wait would create an error with its stack.
 *
 * @throws Error when the time has passed
 */
export async function withTimeout<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    timeout.reject(new Error(`It took longer than ${limitMs / 1_000} s.`));
  }, limitMs).unref();
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
