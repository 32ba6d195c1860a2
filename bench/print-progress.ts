const WIDTH = 70;

/** Overwrites the line of the terminal. */
export function printProgress(what: string): (done: number, all: number) => void {
  const started = performance.now();
  return (done, all) => {
    const seconds = ((performance.now() - started) / 1_000).toFixed(0);
    const line = `${what}: ${done.toLocaleString('en')} of ${all.toLocaleString('en')} rows in ${seconds} s`;
    process.stdout.write(`\r${line.padEnd(WIDTH)}${done === all ? '\n' : ''}`);
  };
}
