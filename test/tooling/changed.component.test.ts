import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const project = resolve(import.meta.dirname, '../..');
let root: string;

/** Writes files of the copied project, empty ones unless they have a text. */
function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

const git = (...args: string[]) =>
  execFileSync('git', ['-C', root, '-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args]);

function commit(): void {
  git('add', '.');
  git('commit', '--quiet', '--message', 'work');
}

const listChosen = () =>
  execFileSync(process.execPath, ['.configs/changed.mjs'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'changed-'));
  cpSync(join(project, '.configs'), join(root, '.configs'), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'));
  write({
    '.gitignore': 'node_modules\n',
    'package.json': '{"type":"module"}',
    'libs/one/src/one.ts': 'export const one = 1;\n',
    'libs/one/src/one.test.ts': "import './one.ts';\n",
    'libs/two/src/two.test.ts': "import '../../one/src/one.ts';\n",
    'libs/three/src/three.test.ts': '',
    'libs/four/src/four.test.ts': '',
  });
  git('init', '--quiet', '--initial-branch', 'main');
  commit();
  git('checkout', '--quiet', '-b', 'work');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('`npm run test:changed` on a branch', () => {
  it('`npm run test:changed` chooses nothing while nothing differs from the previous commit', () => {
    expect(listChosen()).toEqual([]);
  });

  it('`npm run test:changed` chooses the tests that import a file of an earlier commit, and uncommitted tests', () => {
    write({ 'libs/one/src/one.ts': 'export const one = 2;\n' });
    commit();
    write({ 'libs/three/src/three.test.ts': 'export {};\n' });
    commit();
    write({ 'libs/five/src/five.test.ts': '' });
    expect(listChosen()).toEqual([
      'libs/five/src/five.test.ts',
      'libs/one/src/one.test.ts',
      'libs/three/src/three.test.ts',
      'libs/two/src/two.test.ts',
    ]);
  });
});
