import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { clean, offences } from './boundary-offences.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const configuration = join(project, '.configs', 'boundaries.cjs');
const rules = (
  createRequire(import.meta.url)(configuration) as { forbidden: { name: string }[] }
).forbidden.map((rule) => rule.name);

type Violation = { rule: string; from: string };

/** Runs dependency-cruiser as lint does and gives what it refuses. */
async function violationsIn(folder: string): Promise<Violation[]> {
  const cruiser = join(project, 'node_modules', '.bin', 'depcruise');
  const args = [cruiser, '--config', configuration, '--output-type', 'json', 'libs', 'services', 'test'];
  const output = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      if (stdout) resolve(stdout);
      else reject(new Error(stderr, { cause: error }));
    });
  });
  const { summary } = JSON.parse(output) as {
    summary: { violations: { rule: { name: string }; from: string }[] };
  };
  return summary.violations.map(({ rule, from }) => ({ rule: rule.name, from }));
}

async function plant(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

describe('in a small project of our shape', () => {
  let folder: string;
  let found: Violation[];
  let foundInClean: Violation[];

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'group-payments-boundaries-')));
    await copyFile(join(project, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'));
    await plant(folder, clean);
    await mkdir(join(folder, 'node_modules', '@gp'), { recursive: true });
    for (const path of Object.keys(clean)) {
      const [, workspace, name] = /^((?:libs|services)\/([^/]+))\/package\.json$/.exec(path) ?? [];
      if (workspace && name)
        await symlink(join(folder, workspace), join(folder, 'node_modules', '@gp', name));
    }
    foundInClean = await violationsIn(folder);
    for (const { files } of offences) await plant(folder, files);
    found = await violationsIn(folder);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('a small project of our shape may import what the rules allow', () => {
    expect(foundInClean).toEqual([]);
  });

  it('every rule has an offence planted against it', () => {
    expect([...new Set(offences.map((offence) => offence.rule))].sort()).toEqual([...rules].sort());
  });

  it.each(offences)('the rule $rule refuses an import when $title', ({ rule, files }) => {
    const culprits = found.filter((violation) => violation.rule === rule).map((violation) => violation.from);
    expect(culprits).toContain(Object.keys(files)[0]);
  });
});

it('this project has no offence against the import rules', async () => {
  expect(await violationsIn(project)).toEqual([]);
});
