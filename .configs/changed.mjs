/**
 * Prints the test files that a branch touches, one a line: what differs from where the branch left the main one, plus
 * what is not committed. On the main branch itself that is its last commit.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { chooseTests } from './changed-tests.mjs';

const root = resolve(import.meta.dirname, '..');

function run(command, args) {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] };
  return execFileSync(command, args, options).split('\n').filter(Boolean);
}

function git(...args) {
  try {
    return run('git', ['-c', `safe.directory=${root}`, ...args]);
  } catch {
    return [];
  }
}

function findBase() {
  const [head] = git('rev-parse', 'HEAD');
  const mains = ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master'];
  const main = mains.find((name) => git('rev-parse', '--verify', '--quiet', name).length > 0);
  const [base = 'HEAD'] = main ? git('merge-base', 'HEAD', main) : [];
  return base === head ? 'HEAD^' : base;
}

/** Returns test files of these kinds: all of them, or those that import one of these files, also indirectly. */
function listTests(kinds, related = []) {
  const jest = ['node_modules/jest/bin/jest.js', '--config', '.configs/jest.config.mjs', '--listTests'];
  const about = related.length > 0 ? ['--findRelatedTests', ...related] : [];
  return run(process.execPath, ['--experimental-vm-modules', ...jest, ...about, '--selectProjects', ...kinds])
    .filter((line) => line.endsWith('.test.ts'))
    .map((file) => relative(root, file));
}

const files = [...git('diff', '--name-only', findBase()), ...git('ls-files', '-o', '--exclude-standard')];
const sources = files.filter((file) => /\.(ts|tsx|mjs)$/.test(file) && existsSync(resolve(root, file)));
const chosen = chooseTests({
  files,
  tests: listTests(['unit', 'component', 'journey', 'browser', 'long', 'attack', 'chart']),
  related: sources.length > 0 ? listTests(['unit', 'component', 'journey', 'browser'], sources) : [],
});
for (const file of chosen) console.log(file);
