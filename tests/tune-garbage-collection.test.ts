import { describe, expect, it } from '@jest/globals';
import { runScript } from './support/processes/run-script.js';

const SCRIPT = new URL('support/processes/heap-peak.ts', import.meta.url);

async function heapPeak(limit: 'limited' | 'unlimited'): Promise<number> {
  const { output } = await runScript(SCRIPT, [limit], { NODE_OPTIONS: '--max-semi-space-size=2' });
  return Number(output);
}

const THREADS_SCRIPT = new URL('support/processes/collector-threads.ts', import.meta.url);

describe('tuneGarbageCollection', () => {
  it('leaves young collections to the main thread', async () => {
    const { output } = await runScript(THREADS_SCRIPT, ['tuned']);
    expect(Number(output)).toBeLessThan(0.06);
  });

  it('keeps the heap below three times its live objects', async () => {
    expect(await heapPeak('limited')).toBeLessThan(3);
  });

  it('has an effect in this version of Node', async () => {
    expect(await heapPeak('unlimited')).toBeGreaterThan(3.5);
  });
});
