/** Prints the share of the processor time of young collections that other threads than the main thread took. */
import { tuneGarbageCollection } from '../../../src/tune-garbage-collection.js';

const OBJECTS = 6_000_000;
const KEPT = 20_000;

if (process.argv[2] === 'tuned') tuneGarbageCollection();
const before = { process: process.cpuUsage(), main: process.threadCpuUsage() };
let kept: object[] = [];
for (let number = 0; number < OBJECTS; number += 1) {
  if (number % KEPT === 0) kept = [];
  kept.push({ number, list: [number] });
}
const all = process.cpuUsage(before.process);
const main = process.threadCpuUsage(before.main);
process.stdout.write(String(1 - (main.user + main.system) / (all.user + all.system)));
