/**
 * Prints the largest heap, as a multiple of its live objects, of a process whose garbage survives young collections, as
 * that of a streamed list does. With the argument `limited` the growth of the heap is limited.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { tuneGarbageCollection } from '../../../src/tune-garbage-collection.js';

const LIVE_OBJECTS = 400_000;
const ROUNDS = 4_000_000;
/** How many of the latest objects are reachable. */
const WINDOW = 50_000;
const LOOK_EVERY = 10_000;

if (process.argv[2] === 'limited') tuneGarbageCollection();
const live = Array.from({ length: LIVE_OBJECTS }, (_, index) => ({ index, text: [index] }));
const latest = Array.from<object>({ length: WINDOW });
setFlagsFromString('--expose-gc');
(runInNewContext('gc') as () => void)();
const start = process.memoryUsage().heapUsed;
let peak = start;
for (let round = 0; round < ROUNDS; round += 1) {
  latest[round % WINDOW] = { round, text: [round] };
  if (round % LOOK_EVERY === 0) peak = Math.max(peak, process.memoryUsage().heapUsed);
}
console.log(live.length > 0 && peak / start);
