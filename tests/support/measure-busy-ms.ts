/**
 * Measures the time of work that only computes, in milliseconds.
 *
 * The result is the smaller of the process's CPU time and the elapsed time, so that neither other processes nor Node's
 * other threads increase it.
 *
 * @param repetitions the work runs so often, and the shortest run counts, so that a garbage collection does not
 */
export async function measureBusyMs(work: () => unknown, repetitions = 1): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < repetitions; run += 1) times.push(await measureRun(work));
  return Math.min(...times);
}

async function measureRun(work: () => unknown): Promise<number> {
  const [begunMs, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return Math.min(performance.now() - begunMs, (user + system) / 1_000);
}
