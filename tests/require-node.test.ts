import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { findNodeProblem } from '../src/require-node.js';

const packageJson = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly engines: { readonly node: string };
};

describe('findNodeProblem', () => {
  it.each(['20.20.2', '22.16.0', '18.0.0'])('rejects Node %s with a sentence that says what to do', (version) => {
    expect(findNodeProblem(version)).toMatch(/^Convene needs Node 22\.17 or newer, and this is [\d.]+\. Install /);
  });

  it.each(['22.17.0', '22.18.1', '24.0.0', '100.0.0'])('accepts Node %s', (version) => {
    expect(findNodeProblem(version)).toBeNull();
  });

  it('has the lowest version of package.json', () => {
    expect(packageJson.engines.node).toBe('>=22.17');
    expect(findNodeProblem('22.17.0')).toBeNull();
    expect(findNodeProblem('22.16.99')).not.toBeNull();
  });
});
