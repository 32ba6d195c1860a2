import { once } from 'node:events';
import { createServer } from 'node:net';
import { BenchError } from '../bench-error.js';

const NAMES = [
  'reference',
  'service',
  'yoga',
  'apollo',
  'twoProcesses',
  'mercurius',
  'handApollo',
  'postgraphile',
  'betterAuth',
  'parseServer',
] as const;
export type PortName = (typeof NAMES)[number];
export type Ports = Readonly<Record<PortName, number>>;

/** Below the ports that Linux gives to outgoing connections. */
const FIRST = 4_510;
const LAST = 4_990;
const STEP = 20;

/** @returns the first block of ports of which none is in use, so that two benchmarks can run on one machine */
export async function findPorts(): Promise<Ports> {
  for (let first = FIRST; first < LAST; first += STEP) {
    const ports = Object.fromEntries(NAMES.map((name, index) => [name, first + index])) as Record<PortName, number>;
    const areFree = await Promise.all(Object.values(ports).map(isFree));
    if (areFree.every(Boolean)) return ports;
  }
  throw new BenchError(`There is no block of ${String(STEP)} free ports from ${String(FIRST)} to ${String(LAST)}`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
