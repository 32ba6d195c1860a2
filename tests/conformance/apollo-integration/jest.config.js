import { fileURLToPath } from 'node:url';
import { SWC_OPTIONS } from '../../support/typescript/swc-options.mjs';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

/** @type {import('jest').Config} */
export default {
  rootDir: PROJECT,
  roots: ['<rootDir>/tests/conformance/apollo-integration'],
  testMatch: ['**/*.suite.ts'],
  testEnvironment: '<rootDir>/tests/conformance/apollo-integration/environment.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  resolver: '<rootDir>/tests/conformance/apollo-integration/resolve-from-project.cjs',
  transform: { '\\.ts$': ['@swc/jest', SWC_OPTIONS] },
  // For tests that hang, not for slow ones.
  testTimeout: 60_000,
  reporters: [],
};
