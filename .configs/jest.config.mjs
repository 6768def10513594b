/** Native ES modules: swc only strips the types, Node links the modules. */
export default {
  rootDir: '..',
  testEnvironment: 'node',
  testMatch: ['<rootDir>/{libs,services,test}/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/.data/'],
  modulePathIgnorePatterns: ['<rootDir>/.data/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } },
    ],
  },
};
