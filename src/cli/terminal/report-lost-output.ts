/**
 * Makes the command fail, with one sentence, when its result cannot be written to standard output.
 *
 * A reader that closed the pipe (`| head`) has what it wants, so EPIPE is not reported.
 */
export function reportLostOutput(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    process.stdout.on('error', () => undefined);
    if (error.code === 'EPIPE') return;
    process.once('exit', () => {
      process.exitCode = 1;
    });
    process.stderr.write(`The result could not be written to standard output (${error.message}).\n`);
  });
}
