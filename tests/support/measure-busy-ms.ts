/**
 * How long work takes that only computes, in milliseconds.
 *
 * It is the processor time of this process, or the time that has passed when that is shorter: neither what else the
 * machine does nor Node's other threads make it longer.
 */
export async function busyMsOf(work: () => unknown): Promise<number> {
  const [begunMs, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return Math.min(performance.now() - begunMs, (user + system) / 1_000);
}
