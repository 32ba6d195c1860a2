import { setFlagsFromString } from 'node:v8';

/** The heap may grow by this share of its live objects before old objects are collected. */
const GROWTH_PERCENT = 75;

/**
 * Sets the flags of V8 that it reads at each garbage collection.
 *
 * - Bounds the memory that is used for garbage. Reason: objects of a large response survive young collections, and by
 *   default V8 lets the heap grow to about four times its live objects before it collects them.
 * - Collects young objects in the main thread only. Reason: a collection takes about a millisecond, in which further
 *   threads mostly wait for a processor core, and the main thread for them.
 */
export function tuneGarbageCollection(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  setFlagsFromString('--no-parallel-scavenge');
}
