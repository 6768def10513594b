import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pspCodes } from '@gp/gateway-registry';
import { processes, root } from './processes.ts';

/** Not below the repository, whose own packages would fill what the image lacks. */
const image = mkdtempSync(join(tmpdir(), 'gp-image-'));
afterAll(() => rmSync(image, { recursive: true, force: true }));

/** Everything npm installed, ours excepted: those links lead to the compiled sources, as in the image. */
function linkPackages(): void {
  for (const folder of [
    '',
    ...globSync(['libs/*', 'services/*', 'services/*/web', 'services/gateway-adapters/*'], { cwd: root }),
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
    execFileSync(process.execPath, [join(root, '.configs/compile.mjs'), image]);
    linkPackages();
  });

  it('the image holds no test, and no TypeScript except what is served to browsers', () => {
    const files = globSync('{libs,services}/**/*.ts', { cwd: image, exclude: ['**/node_modules/**'] });
    const served =
      /^services\/psp-sandbox\/src\/(browser\/|domain\/card-number\.ts$)|\/sandbox\/browser\/|^libs\/reference\/src\/browser\/|\.d\.ts$/;
    expect(files.filter((file) => !served.test(file) || file.endsWith('.test.ts'))).toEqual([]);
  });

  const entries = [
    ...Object.values(processes).map(({ folder }) => `${folder}/src/main.js`),
    ...['make-secrets', 'make-secret-files', 'migrate', 'streams', 'smoke-test', 'demo-group'].map(
      (task) => `services/installation/src/${task}.js`,
    ),
  ];
  it.each(entries)('%s loads from the image, and names the settings it misses', async (entry) => {
    const { code, said } = await start(entry);
    expect({ code, said }).toEqual({
      code: 78,
      said: expect.stringMatching(/the configuration has \d+ fault/),
    });
  });

  const bundled = entries.filter((entry) => !entry.includes('psp-sandbox'));
  it.each(bundled)('%s starts its bundle, whose sources the image does not have', (entry) => {
    const [, bundle = ''] = /^import .(.+).;\n$/.exec(readFileSync(join(image, entry), 'utf8')) ?? [];
    expect(existsSync(join(image, dirname(entry), bundle))).toBe(true);
    expect(bundle).toMatch(/\/dist\/[\w.-]+\.js$/);
    const sources = globSync('**/*.js', { cwd: join(image, dirname(entry)) });
    expect(sources.filter((file) => !entries.includes(join(dirname(entry), file)))).toEqual(
      sources.filter((file) => file === 'cli.js'),
    );
  });

  it('the image loads the sandbox part of every gateway', async () => {
    const entry = join(image, 'services/psp-sandbox/src/load-gateways.mjs');
    writeFileSync(
      entry,
      "import { playGateways } from './gateways.js';\nconsole.log([...(await playGateways({})).keys()].join());\n",
    );
    expect(await start(entry)).toEqual({ code: 0, said: expect.stringContaining(pspCodes.join()) });
  });

  it('the image has the pages and every release of the widget', () => {
    const lacking = ['client/.vite/manifest.json', 'server/server.js']
      .map((file) => `services/checkout/web/dist/${file}`)
      .concat('services/merchant-dashboard/web/dist/index.html')
      .concat(globSync('services/checkout/web/widget/{generated/*,*.d.ts}', { cwd: root }))
      .filter((file) => !existsSync(join(image, file)));
    expect(lacking).toEqual([]);
  });

  it('the image has the migrations of every schema', () => {
    for (const { migrations } of Object.values(processes))
      for (const folder of migrations)
        expect(globSync('*.sql', { cwd: join(image, folder) })).not.toEqual([]);
  });
});
