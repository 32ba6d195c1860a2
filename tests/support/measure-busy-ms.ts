/**
 * Measures the time of work that only computes, in milliseconds.
 *
 * The result is the smaller of the process's CPU time and the elapsed time, so that neither other processes nor Node's
 * other threads increase it.
 */
export async function measureBusyMs(work: () => unknown): Promise<number> {
  const [begunMs, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return Math.min(performance.now() - begunMs, (user + system) / 1_000);
}
