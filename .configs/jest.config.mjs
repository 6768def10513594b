/** Native ES modules: swc only strips the types, Node links the modules. */
export default {
  rootDir: '..',
  testEnvironment: '<rootDir>/.configs/jest.environment.mjs',
  globalSetup: '<rootDir>/.configs/jest.servers.mjs',
  globalTeardown: '<rootDir>/.configs/jest.servers-close.mjs',
  reporters: ['default', '<rootDir>/.configs/jest.reporter.mjs'],
  testMatch: ['<rootDir>/{libs,services,test}/**/*.test.ts'],
  // test/platform/ asks helm and is a step of its own: `npm run chart`.
  testPathIgnorePatterns: ['/node_modules/', '/.data/', '<rootDir>/test/platform/'],
  modulePathIgnorePatterns: ['<rootDir>/.data/'],
  extensionsToTreatAsEsm: ['.ts'],
  maxWorkers: 2,
  // Ends what hangs and measures nothing: tests start processes, and a machine with one busy core must not fail them.
  testTimeout: 240_000,
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } },
    ],
  },
};
