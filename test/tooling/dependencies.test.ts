import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const project = resolve(import.meta.dirname, '../..');

const workspace = (name: string, dependencies: readonly string[], devDependencies: readonly string[] = []) =>
  JSON.stringify({
    name,
    dependencies: Object.fromEntries(dependencies.map((one) => [one, '1.0.0'])),
    devDependencies: Object.fromEntries(devDependencies.map((one) => [one, '1.0.0'])),
  });

const files: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    workspaces: ['libs/*', 'services/*', 'services/*/web', 'services/gateway-adapters/*', 'test'],
    devDependencies: { '@jest/globals': '1.0.0' },
  }),
  'libs/pg/package.json': workspace('@gp/pg', ['pg', 'express'], ['@types/pg']),
  'libs/pg/src/index.ts': "export * from 'pg';\n",
  'libs/pg/test/pg.test.ts':
    "import '@jest/globals';\nimport '@gp/testing';\nimport { inspect } from 'node:util';\n",
  'services/checkout/package.json': workspace(
    '@gp/checkout',
    ['@gp/pg', '@scope/used'],
    ['fast-check', 'jose'],
  ),
  'services/checkout/src/main.ts':
    "import type { Redis } from 'redis/types';\nexport * from '@scope/used/part';\n",
  'services/checkout/test/pay.test.ts': "await import('fast-check');\n",
  'services/checkout/web/package.json': workspace('@gp/checkout-web', ['charts', 'charts-core']),
  'services/checkout/web/src/page.tsx': "import 'charts/style.css';\nimport '@gp/pg';\n",
  'node_modules/charts/package.json': JSON.stringify({ peerDependencies: { 'charts-core': '1' } }),
  'services/gateway-adapters/stripe/package.json': workspace('@gp/stripe', ['stripe', 'tool']),
  'services/gateway-adapters/stripe/src/main.ts': "export type { Stripe } from 'stripe';\nstart('tool');\n",
  'test/package.json': workspace('@gp/test', []),
  'test/pay.test.ts': "import 'undici';\n",
};

/** Returns the refusals of `npm run boundaries` for the packages of a project; a line each. */
function refusedIn(folder: string): Promise<readonly string[]> {
  const script = join(project, '.configs/dependencies.mjs');
  return new Promise((done, reject) => {
    execFile(process.execPath, [script, folder], (error, stdout, stderr) => {
      const lines = stdout.split('\n').filter((line) => line !== '');
      if (stderr !== '' || (error?.code ?? 0) !== Math.sign(lines.length)) reject(new Error(stderr));
      else done(lines);
    });
  });
}

describe('packages that workspaces declare', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'group-payments-dependencies-')));
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('an unused dependency and an undeclared one are both refused', async () => {
    expect(await refusedIn(folder)).toEqual([
      'libs/pg does not use express',
      'services/checkout does not use @gp/pg',
      'services/checkout does not use jose',
      'services/checkout/src/main.ts uses undeclared redis',
      'services/checkout/web/src/page.tsx uses undeclared @gp/pg',
      'test/pay.test.ts uses undeclared undici',
    ]);
  });

  it('this project uses every dependency that it declares, and declares every one that it uses', async () => {
    expect(await refusedIn(project)).toEqual([]);
  });
});
