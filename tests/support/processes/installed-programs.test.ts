import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { describeWith, programPath } from './installed-programs.js';

describe('programPath', () => {
  it('throws with the package that installs a missing program', () => {
    const path = process.env.PATH;
    process.env.PATH = '';
    try {
      expect(() => programPath('unshare')).toThrow('unshare is not installed (apt-get install util-linux)');
    } finally {
      process.env.PATH = path;
    }
  });
});

describeWith(['unshare'], 'describeWith', () => {
  it('runs the tests when the program is installed', () => {
    expect(basename(programPath('unshare'))).toBe('unshare');
  });
});
