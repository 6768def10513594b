import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { project, readProjectFile } from './project-files.ts';
import { renderScriptInventory } from './script-inventory.ts';

/** A folder with commands that stand before those of the machine. */
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'group-payments-supply-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function install(command: string, lines: string): Promise<void> {
  const path = join(folder, command);
  await writeFile(path, `#!/bin/sh\n${lines}\n`);
  await chmod(path, 0o755);
}

type Ended = { readonly code: number; readonly out: string; readonly err: string };

function run(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const PATH = `${folder}:${process.env['PATH'] ?? ''}`;
  return new Promise<Ended>((resolve) => {
    execFile(command, args, { cwd: project, env: { ...process.env, ...env, PATH } }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

describe('a look at known vulnerabilities', () => {
  const audit = () => run('sh', ['.configs/audit.sh']);
  const report = (high: number) => `{"auditReportVersion":2,"metadata":{"vulnerabilities":{"high":${high}}}}`;

  it('a look that the registry of packages refuses says so, and counts as no passed test (Y8)', async () => {
    await install('npm', `echo '{"error":{"summary":"405 Method Not Allowed - POST"}}'; exit 1`);
    const { code, out } = await audit();
    expect([code, out]).toEqual([0, expect.stringMatching(/^NOT RUN: .*405 Method Not Allowed\n$/)]);
  });

  it('a look that finds no vulnerability passes, and one that finds some fails (Y8)', async () => {
    await install('npm', `echo '${report(0)}'`);
    expect(await audit()).toMatchObject({ code: 0, out: '1 passed, 0 failed\n' });
    await install('npm', `echo '${report(2)}'; exit 1`);
    expect(await audit()).toMatchObject({ code: 1, out: '0 passed, 1 failed\n' });
  });
});

describe('the bases of the image', () => {
  const pin = () => run('sh', ['.configs/pin-bases.sh'], { GP_DOCKERFILE: join(folder, 'Dockerfile') });
  const read = () => readFile(join(folder, 'Dockerfile'), 'utf8');
  const digest = (letter: string) => `sha256:${letter.repeat(64)}`;
  beforeEach(async () => writeFile(join(folder, 'Dockerfile'), await readProjectFile('Dockerfile')));

  it('the bases are pinned by the digests of their tags, and pinned anew (Y8)', async () => {
    for (const letter of ['a', 'b']) {
      await install('podman', `[ "$1" = pull ] || echo ${digest(letter)}`);
      expect((await pin()).code).toBe(0);
      const lines = (await read()).split('\n').filter((line) => /^ARG \w+_BASE=/.test(line));
      expect(lines).toHaveLength(2);
      for (const line of lines) expect(line).toMatch(new RegExp(`=[\\w./-]+:[\\w.-]+@${digest(letter)}$`));
    }
    const unpinned = (await read()).replaceAll(`@${digest('b')}`, '');
    expect(unpinned).toBe(await readProjectFile('Dockerfile'));
  });

  it('the bases stay as they are, both, when one is out of reach or has no digest (Y8)', async () => {
    const before = await read();
    await install(
      'podman',
      `case "$*" in *distroless*) exit 125 ;; pull*) ;; *) echo ${digest('a')} ;; esac`,
    );
    expect(await pin()).toMatchObject({ code: 69, err: expect.stringContaining('cannot be pulled') });
    await install('podman', 'true');
    expect((await pin()).code).toBe(69);
    expect(await read()).toBe(before);
  });
});

describe('the statement of how an image was made', () => {
  const base = `registry.example/node:24@sha256:${'c'.repeat(64)}`;
  const args = ['.configs/provenance.mjs', 'group-payments:1', `sha256:${'d'.repeat(64)}`, base];

  it('the statement names the image, the commit, the lock and each base, by digest (Y8)', async () => {
    const { out } = await run(process.execPath, [...args, 'localhost/base:run', '2027-01-01T00:00:00Z']);
    const statement = JSON.parse(out) as {
      readonly subject: unknown;
      readonly predicate: { readonly buildDefinition: { readonly resolvedDependencies: unknown } };
    };
    const commit = (await run('git', ['rev-parse', 'HEAD'])).out.trim();
    expect(statement.subject).toEqual([{ name: 'group-payments:1', digest: { sha256: 'd'.repeat(64) } }]);
    expect(statement.predicate.buildDefinition.resolvedDependencies).toEqual([
      { uri: 'git+file:.', digest: { gitCommit: commit } },
      { uri: 'package-lock.json', digest: { sha512: expect.stringMatching(/^[0-9a-f]{128}$/) } },
      { name: 'BUILD_BASE', uri: 'registry.example/node:24', digest: { sha256: 'c'.repeat(64) } },
      { name: 'RUN_BASE', uri: 'localhost/base:run' },
    ]);
  });

  it('the statement is not made without all that it states (Y8)', async () => {
    expect((await run(process.execPath, args)).code).toBe(64);
  });
});

describe('the inventory of scripts', () => {
  it('the inventory has every foreign script that the recorded policy of a live page allows (Y7)', async () => {
    const inventory = renderScriptInventory();
    const pages = JSON.parse(await readProjectFile('services/checkout/test/gateway-pages.json')) as Readonly<
      Record<string, { readonly policy: string }>
    >;
    const live = Object.entries(pages).filter(([name]) => /: gateway_\w, live/.test(name));
    expect(live.length).toBeGreaterThan(2);
    const allowed = live.flatMap(
      ([, { policy }]) => /script-src ([^;]+)/.exec(policy)?.[1]?.split(' ') ?? [],
    );
    const foreign = new Set(allowed.filter((source) => source.startsWith('https:')));
    expect(foreign.size).toBeGreaterThan(2);
    for (const source of foreign) expect(inventory).toContain(source);
  });
});
