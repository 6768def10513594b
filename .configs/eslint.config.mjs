import tseslint from 'typescript-eslint';
import { defineConfig, globalIgnores } from 'eslint/config';

const tests = ['**/*.test.ts', '**/test/**/*.ts'];

export default defineConfig(
  globalIgnores(['**/node_modules/', '.data*/', '**/dist/', '**/generated/']),
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true },
    // One program for all: a program for each workspace loads every library again, until memory is out.
    languageOptions: {
      parserOptions: {
        project: [
          '.configs/tsconfig.json',
          'test/browser/tsconfig.json',
          'services/*/src/browser/tsconfig.json',
          'libs/*/src/browser/tsconfig.json',
          'services/*/web/tsconfig.json',
        ],
        tsconfigRootDir: `${import.meta.dirname}/..`,
      },
    },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: false },
      ],
      // A number or a bigint in a sentence is read as it is written.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // `() => run()` may hand on a void result: the callback's type already says it is not used.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // Types of rows, routes and messages are named by the caller at a boundary where they cannot be inferred.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      // A flag can change across an await, which the rule does not see.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // `async` also promises that a throw becomes a rejection.
      '@typescript-eslint/require-await': 'off',
      // Our objects come from factories and close over their state; nothing of ours needs `this`.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unnecessary-type-arguments': 'off',
      // `void` says that a value is dropped on purpose; overloads say what belongs together.
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      '@typescript-eslint/unified-signatures': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // What was caught may be thrown on as it is.
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingUnknown: true }],
      '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'max-lines': ['warn', { max: 250, skipBlankLines: false, skipComments: false }],
    },
  },
  {
    files: tests,
    rules: {
      // A test reads the shape it expects; a missing value fails the test at the very next line.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/prefer-promise-reject-errors': 'off',
      'max-lines': 'off',
    },
  },
  {
    // Every Grafana reads its first schema from a file; what supersedes it only the newest do, and not from files.
    files: ['test/platform/monitoring/dashboards/grafana.ts'],
    rules: {
      '@typescript-eslint/no-deprecated': [
        'error',
        {
          allow: [
            {
              from: 'package',
              package: '@grafana/grafana-foundation-sdk',
              name: ['Dashboard', 'DashboardBuilder'],
            },
          ],
        },
      ],
    },
  },
  {
    // These talk to a person at a terminal; that is their output.
    files: [
      'libs/stack/src/**/*.ts',
      'test/demo/**/*.ts',
      'test/bench/**/*.ts',
      '**/generate.ts',
      '**/cli/**/*.ts',
    ],
    rules: { 'no-console': 'off' },
  },
  {
    // The developer of a merchant's page reads a warning in the browser's console.
    files: ['services/checkout/web/src/embed.tsx'],
    rules: { 'no-console': ['error', { allow: ['warn'] }] },
  },
  {
    // So it does an error about a wish that the form goes on without.
    files: ['services/checkout/web/widget/src/options.ts'],
    rules: { 'no-console': ['error', { allow: ['error'] }] },
  },
);
