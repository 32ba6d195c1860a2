import { describe, expect, it } from '@jest/globals';
import { runScript } from './support/processes/run-script.js';

const SCRIPT = new URL('support/processes/heap-peak.ts', import.meta.url);

async function heapPeak(limit: 'limited' | 'unlimited'): Promise<number> {
  const { output } = await runScript(SCRIPT, [limit], { NODE_OPTIONS: '--max-semi-space-size=2' });
  return Number(output);
}

describe('limitHeapGrowth', () => {
  it('keeps the heap below three times its live objects', async () => {
    expect(await heapPeak('limited')).toBeLessThan(3);
  });

  it('has an effect in this version of Node', async () => {
    expect(await heapPeak('unlimited')).toBeGreaterThan(3.5);
  });
});
