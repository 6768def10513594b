import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findTool } from '@gp/testing';
import { project } from './project-files.ts';

type Lint = {
  readonly file: string;
  readonly tool: string;
  readonly args: readonly string[];
  /** Makes a fault in the file that the tool must see. */
  readonly spoil: (text: string) => string;
};

const schema = (name: string, file: string): readonly string[] => [
  '--builtin-schema',
  `vendor.${name}`,
  file,
];
const misspell = (word: string) => (text: string) => text.replace(word, `${word}x`);
const bySchema = (name: string, file: string, word: string): Lint => ({
  file,
  tool: 'check-jsonschema',
  args: schema(name, file),
  spoil: misspell(word),
});

const WORKFLOWS = '.github/workflows';
const workflows = readdirSync(join(project, WORKFLOWS)).map((name) => `${WORKFLOWS}/${name}`);
/** An expression that names a context which does not exist. */
const misspellContext = (text: string) => text.replace(/\$\{\{ \w+/, '$&x');

const lints: readonly Lint[] = [
  ...workflows.flatMap((file) => [
    { file, tool: 'actionlint', args: ['-no-color', file], spoil: misspellContext },
    bySchema('github-workflows', file, 'runs-on'),
  ]),
  bySchema('dependabot', '.github/dependabot.yml', 'package-ecosystem'),
  bySchema('github-issue-forms', '.github/ISSUE_TEMPLATE/fault.yml', 'textarea'),
  bySchema('github-issue-forms', '.github/ISSUE_TEMPLATE/request.yml', 'textarea'),
  bySchema('github-issue-config', '.github/ISSUE_TEMPLATE/config.yml', 'contact_links'),
  { file: 'compose.yaml', tool: 'compose-go', args: ['compose.yaml'], spoil: misspell('command') },
  {
    file: '.devcontainer/devcontainer.json',
    tool: 'devcontainer',
    // It asks Docker for containers of this folder; there is none to ask.
    args: ['read-configuration', '--workspace-folder', '.', '--docker-path', 'true'],
    spoil: (text) => text.replace('{', '['),
  },
  {
    file: '.devcontainer/Dockerfile',
    tool: 'hadolint',
    // Packages of Debian have no versions here: only the newest of each is in its archive.
    args: ['--no-color', '--ignore', 'DL3008', '.devcontainer/Dockerfile'],
    spoil: (text) => text.replace(' --no-install-recommends', ''),
  },
  {
    file: 'CHANGELOG.md',
    tool: 'changelog',
    args: ['--file', 'CHANGELOG.md', '--latest-release'],
    spoil: (text) => text.replace(/^### Added$/m, '### Additions ##\n#### Added'),
  },
];
const possible = lints.flatMap((lint) => {
  const path = findTool(lint.tool, `${lint.tool} on ${lint.file}`);
  return path === undefined ? [] : [{ ...lint, path }];
});

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'repository-files-'));
  // The tools look for the root of a repository.
  mkdirSync(join(copy, '.git'));
  for (const folder of ['.github', '.devcontainer'])
    cpSync(join(project, folder), join(copy, folder), { recursive: true });
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function judge({ file, path, args }: Lint & { path: string }, text: string) {
  mkdirSync(dirname(join(copy, file)), { recursive: true });
  writeFileSync(join(copy, file), text);
  const { status, stdout, stderr } = spawnSync(path, args, { cwd: copy, encoding: 'utf8' });
  return { isRight: status === 0, said: `${stdout}${stderr}` };
}

for (const lint of possible)
  it(`${lint.file} passes ${lint.tool} (${lint.args.at(1) ?? ''}), which sees a planted fault`, () => {
    const text = readFileSync(join(project, lint.file), 'utf8');
    expect(judge(lint, text)).toMatchObject({ isRight: true });
    expect(lint.spoil(text)).not.toBe(text);
    expect(judge(lint, lint.spoil(text))).toMatchObject({ isRight: false });
  });

describe('the workflows', () => {
  it('the workflow of a commit runs .ci/run and nothing else of its own', () => {
    const text = readFileSync(join(project, WORKFLOWS, 'check.yml'), 'utf8');
    expect([...text.matchAll(/run: (.*)$/gm)].map(([, command]) => command)).toEqual(['.ci/run']);
  });

  it.each(workflows)('%s names each action by a whole commit, with the version beside it', (file) => {
    const text = readFileSync(join(project, file), 'utf8');
    const actions = [...text.matchAll(/uses: (.*)$/gm)].map(([, action]) => action);
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });
});
