import cluster from 'node:cluster';
import { write, writeSync } from 'node:fs';
import { isRecord } from '../errors/index.js';

/** Lines that would make more than this pending are dropped. */
const MAX_PENDING_CHARACTERS = 1_048_576;
/** A worker shares its outputs with other processes. A write of at most `PIPE_BUF` of Linux is not interleaved. */
const MAX_BATCH_BYTES = cluster.isWorker ? 4_096 : 65_536;
const RETRY_AFTER_MS = 250;
const EXIT_FLUSH_MS = 1_000;
const EXIT_POLL_MS = 20;
const NO_BYTES = Buffer.alloc(0);

export type StandardFd = 1 | 2;

interface LogStreamEvents {
  /** Called with the error when writing fails, once until it works again. */
  readonly onFailure: (error: unknown) => void;
  /** Called with the number of dropped lines when writing works again after lines were dropped. */
  readonly onRecovery: (droppedLines: number) => void;
}

const streams = new Map<StandardFd, LogStream>();

/** The stream of standard output (1) or standard error (2): one per process, so that lines do not interleave. */
export function standardStream(fd: StandardFd): LogStream {
  const stream = streams.get(fd) ?? new LogStream(fd);
  streams.set(fd, stream);
  return stream;
}

/**
 * Writes log lines to standard output or standard error. Never throws and never blocks.
 *
 * When writing fails (full disk, I/O error, closed pipe) or the reader of a pipe is too slow, about 1 MiB of lines
 * stays pending, and later lines are dropped and counted. Writing is retried every 250 ms. When the process exits,
 * pending lines are written as far as that is possible within 1 s.
 *
 * Reason: the exit hook of SonicBoom 4.2, the default of pino, repeats a failing write without end.
 */
class LogStream {
  readonly #fd: StandardFd;
  #events: LogStreamEvents = { onFailure: () => undefined, onRecovery: () => undefined };
  readonly #pending: string[] = [];
  #pendingCharacters = 0;
  /** The bytes of the current write that are not written yet. */
  #batch = NO_BYTES;
  #isWriting = false;
  #isWaiting = false;
  #isFailureReported = false;
  #droppedLines = 0;

  constructor(fd: StandardFd) {
    this.#fd = fd;
    prepareStream(fd);
    surviveFileSizeLimit();
    process.once('exit', () => {
      this.#flushAtExit();
    });
  }

  /** Replaces the callbacks. */
  setEvents(events: LogStreamEvents): void {
    this.#events = events;
  }

  write(line: string): void {
    if (this.#pendingCharacters + line.length > MAX_PENDING_CHARACTERS) this.#drop();
    else this.#append(line);
    this.#writeNext();
  }

  #append(line: string): void {
    this.#pending.push(line);
    this.#pendingCharacters += line.length;
  }

  #drop(): void {
    this.#droppedLines += 1;
    this.#reportFailure(new Error('The reader of the log is too slow'));
  }

  #writeNext(): void {
    if (this.#isWriting || this.#isWaiting || !this.#hasBatch()) return;
    this.#isWriting = true;
    write(this.#fd, this.#batch, (error, written) => {
      this.#isWriting = false;
      if (error === null) this.#proceed(written);
      else this.#retryLater(error);
    });
  }

  #proceed(written: number): void {
    this.#batch = this.#batch.subarray(written);
    if (!this.#hasBatch()) this.#reportRecovery();
    this.#writeNext();
  }

  #retryLater(error: unknown): void {
    if (!isBusy(error)) this.#reportFailure(error);
    this.#isWaiting = true;
    // Does not keep the process alive: the exit writes pending lines once more.
    setTimeout(() => {
      this.#isWaiting = false;
      this.#writeNext();
    }, RETRY_AFTER_MS).unref();
  }

  /** Takes the next lines when the batch is written. Returns false when nothing is pending. */
  #hasBatch(): boolean {
    if (this.#batch.length === 0) this.#batch = this.#takeBatch();
    return this.#batch.length > 0;
  }

  /** Takes as many lines as a batch may have, and at least one. */
  #takeBatch(): Buffer<ArrayBuffer> {
    let size = 0;
    const end = this.#pending.findIndex((line) => (size += Buffer.byteLength(line)) > MAX_BATCH_BYTES);
    const text = this.#pending.splice(0, end === -1 ? this.#pending.length : Math.max(1, end)).join('');
    this.#pendingCharacters -= text.length;
    return Buffer.from(text);
  }

  #reportFailure(error: unknown): void {
    if (this.#isFailureReported) return;
    this.#isFailureReported = true;
    this.#events.onFailure(error);
  }

  #reportRecovery(): void {
    const dropped = this.#droppedLines;
    this.#droppedLines = 0;
    this.#isFailureReported = false;
    if (dropped > 0) this.#events.onRecovery(dropped);
  }

  /** A thread completes a write that is in progress, so its batch is left out. */
  #flushAtExit(): void {
    if (this.#isWriting) this.#batch = NO_BYTES;
    // Keeps `write` from starting another write.
    this.#isWaiting = true;
    const deadline = performance.now() + EXIT_FLUSH_MS;
    while (this.#hasBatch() && performance.now() < deadline) {
      if (!this.#writeNow()) return;
      if (!this.#hasBatch()) this.#reportRecovery();
    }
  }

  /** @returns false when writing fails */
  #writeNow(): boolean {
    try {
      this.#batch = this.#batch.subarray(writeSync(this.#fd, this.#batch));
      return true;
    } catch (error) {
      if (isBusy(error)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EXIT_POLL_MS);
      return isBusy(error);
    }
  }
}

/** The pipe is full. */
function isBusy(error: unknown): boolean {
  return isRecord(error) && error['code'] === 'EAGAIN';
}

/**
 * Opens Node's own stream, which makes a pipe or a socket non-blocking, and ignores its errors.
 *
 * Reasons: a blocked write occupies a thread of libuv, and the process waits for that thread when it exits. A message
 * that a library prints must not end the process.
 */
function prepareStream(fd: StandardFd): void {
  const stream = fd === 1 ? process.stdout : process.stderr;
  stream.on('error', () => undefined);
}

/**
 * A write beyond the file size limit of the process (`ulimit -f`) then fails with EFBIG, and does not end the process.
 */
function surviveFileSizeLimit(): void {
  if (process.listenerCount('SIGXFSZ') === 0) process.on('SIGXFSZ', () => undefined);
}
