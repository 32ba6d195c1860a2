import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { findCircles, readSources } from '../support/architecture/import-graph.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAX_FILES_PER_FOLDER = 15;

const sources = new Map([...readSources(ROOT)].filter(([file]) => file.startsWith('src/graphql/')));

describe('src/graphql', () => {
  it('has no circles of files or folders', () => {
    expect(findCircles(sources)).toEqual([]);
  });

  it('has at most 15 files in each folder', () => {
    const folders = Map.groupBy(sources.keys(), (file) => file.slice(0, file.lastIndexOf('/')));
    expect([...folders].filter(([, files]) => files.length > MAX_FILES_PER_FOLDER)).toEqual([]);
    expect(folders.size).toBeGreaterThan(20);
  });
});
