import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { processes, root } from './processes.ts';

const image = join(root, '.data/image');

/** Everything npm installed, ours excepted: those links lead to the compiled sources, as in the image. */
function linkPackages(): void {
  for (const folder of [
    '',
    ...globSync(['libs/*', 'services/*', 'services/gateway-adapters/*'], { cwd: root }),
  ]) {
    const from = join(root, folder, 'node_modules');
    if (!existsSync(from) || !existsSync(join(image, folder))) continue;
    const to = join(image, folder, 'node_modules');
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(from)) {
      if (name === '@gp')
        cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
      else symlinkSync(join(from, name), join(to, name));
    }
  }
}

const start = (entry: string) =>
  new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(process.execPath, [entry], { cwd: image, env: {} }, (error, out, said) =>
      resolve({ code: error?.code ?? 0, said: out + said }),
    );
  });

describe('the compiled image', () => {
  beforeAll(() => {
    rmSync(image, { recursive: true, force: true });
    execFileSync(process.execPath, [join(root, '.configs/compile.mjs'), image]);
    linkPackages();
  }, 120_000);

  it('holds no test, and no TypeScript but what the sandbox takes the types off for browsers', () => {
    const files = globSync('{libs,services}/**/*.ts', { cwd: image, exclude: ['**/node_modules/**'] });
    const served = /^services\/psp-sandbox\/src\/(browser\/|domain\/card-number\.ts$)/;
    expect(files.filter((file) => !served.test(file) || file.endsWith('.test.ts'))).toEqual([]);
  });

  const entries = [
    ...Object.values(processes).map(({ folder }) => `${folder}/src/main.js`),
    ...['migrate', 'streams', 'smoke-test'].map((task) => `libs/installation/src/${task}.js`),
  ];
  it.each(entries)(
    '%s loads, and says which settings it misses',
    async (entry) => {
      const { code, said } = await start(entry);
      expect({ code, said }).toEqual({
        code: 78,
        said: expect.stringMatching(/the configuration has \d+ fault/),
      });
    },
    60_000,
  );

  it('has the migrations of every schema', () => {
    for (const { migrations } of Object.values(processes))
      for (const folder of migrations)
        expect(globSync('*.sql', { cwd: join(image, folder) })).not.toEqual([]);
  });
});
