import everyTest from './jest.config.mjs';

/** The tests of the chart: they ask helm, and need no server of a test run. */
export default {
  ...everyTest,
  globalSetup: undefined,
  globalTeardown: undefined,
  testMatch: ['<rootDir>/test/platform/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/.data/'],
};
