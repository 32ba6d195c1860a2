import config from './jest.config.js';

/** The whole suite, long-running tests included. */
export default { ...config, testPathIgnorePatterns: ['<rootDir>/tests/conformance/'], testTimeout: 600_000 };
