import { setFlagsFromString } from 'node:v8';

/** The heap may grow by this share of its live objects before old objects are collected. */
const GROWTH_PERCENT = 75;

/**
 * Bounds the memory that V8 uses for garbage. Reason: objects of a large response survive young collections, and by
 * default V8 lets the heap grow to about four times its live objects before it collects them.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
