import { availableParallelism } from 'node:os';
import { SWC_OPTIONS } from './tests/support/typescript/swc-options.mjs';

/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/tests/support/jest/environment.mjs',
  roots: ['<rootDir>/tests'],
  testMatch: ['**/*.test.ts'],
  // Long-running tests: `npm run test:deep`. Other programs and their packages: `npm run conformance`.
  testPathIgnorePatterns: ['\\.deep\\.test\\.ts$', '<rootDir>/tests/conformance/'],
  modulePathIgnorePatterns: ['<rootDir>/tests/conformance/node_modules/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '\\.ts$': ['@swc/jest', SWC_OPTIONS],
  },
  globalSetup: '<rootDir>/tests/support/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/tests/support/jest/global-teardown.mjs',
  testSequencer: '<rootDir>/tests/support/jest/slowest-first.mjs',
  reporters: ['default', '<rootDir>/tests/support/jest/stuck-worker-reporter.mjs'],
  maxWorkers: Math.min(2, availableParallelism()),
  // Jest keeps the modules of every file it has run: without a limit a worker grows to 3 GB, and takes long to collect
  // and to end.
  workerIdleMemoryLimit: '1GB',
  // A worker with nothing left to do ends by itself, but not always in the usual half second on a busy machine.
  workerGracefulExitTimeout: 30_000,
  // For what hangs, not for what is slow: a busy machine may take ten times as long.
  testTimeout: 120_000,
};
