import { totalmem } from 'node:os';
import { resolve } from 'node:path';

/** Tests that are more than a unit: the word before `.test.ts` in the name of a file is its kind. */
const KINDS = ['component', 'journey', 'browser', 'long', 'attack', 'chart', 'monitoring'];

const rootDir = resolve(import.meta.dirname, '..');

/** Native ES modules: swc only strips the types, Node links the modules. */
const project = (displayName, testMatch) => ({
  rootDir,
  displayName,
  testMatch,
  testEnvironment: '<rootDir>/.configs/jest.environment.mjs',
  globalSetup: '<rootDir>/.configs/jest.servers.mjs',
  globalTeardown: '<rootDir>/.configs/jest.servers-close.mjs',
  testPathIgnorePatterns: ['/node_modules/', '/.data/'],
  // The packaged client and command line have the names of their workspaces.
  modulePathIgnorePatterns: ['<rootDir>/.data/', '<rootDir>/libs/client/dist/', '<rootDir>/libs/cli/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } },
    ],
  },
});

export default {
  rootDir,
  reporters: ['default', '<rootDir>/.configs/jest.reporter.mjs'],
  testSequencer: '<rootDir>/.configs/jest.sequencer.mjs',
  maxWorkers: 3,
  // Ends what hangs and measures nothing: tests start processes, and a machine with one busy core must not fail them.
  testTimeout: 240_000,
  // Modules of a test file are never quite freed: a worker that has grown is replaced between two files. The new one has to
  // compile everything again: with 1 GB a run of 164 files took 12 % more CPU than with 2 GB.
  workerIdleMemoryLimit: Math.min(2 * 1024 ** 3, totalmem() / 12),
  projects: [
    project('unit', ['<rootDir>/{libs,services,test}/**/*.test.ts', `!**/*.{${KINDS.join(',')}}.test.ts`]),
    ...KINDS.map((kind) => project(kind, [`<rootDir>/{libs,services,test}/**/*.${kind}.test.ts`])),
  ],
};
