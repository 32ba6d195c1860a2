/** An expected end of the benchmark, of which only the message is shown. */
export class BenchError extends Error {}
