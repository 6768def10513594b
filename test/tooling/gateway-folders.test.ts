import { findManifest, findGatewayFolder, pspCodes } from '@gp/gateway-registry';
import { describe, expect, it } from '@jest/globals';
import { listProjectFiles, readProjectFile } from './project-files.ts';

/** Files of every gateway's folder; equal names make a comparison of two folders a comparison of two gateways. */
const COMMON = [
  'README.md',
  'manifest.ts',
  'package.json',
  'tsconfig.json',
  ...['config', 'gateway', 'main'].map((name) => `src/${name}.ts`),
  ...['amounts', 'outcome', 'truth'].map((name) => `src/domain/${name}.ts`),
  ...['answers', 'callback', 'client', 'credentials', 'wire'].map((name) => `src/provider/${name}.ts`),
  ...['account', 'attempt', 'authorise', 'callbacks', 'challenge', 'errors', 'external', 'find'].map(
    inSandbox,
  ),
  ...['index', 'payer', 'payment', 'prepare', 'query', 'request', 'routes', 'wire'].map(inSandbox),
  ...['amounts', 'capture', 'refund', 'settle', 'void'].map(inSandbox),
  'test/conformance.long.test.ts',
  'test/generate.ts',
  'test/generated.component.test.ts',
  'test/generated.ts',
  'test/merchant.ts',
  'test/sandbox.component.test.ts',
  'test/subject.ts',
  'test/wire.component.test.ts',
  'test/wire.json',
];

const files = await listProjectFiles();

describe.each(pspCodes)('the folder of %s', (code) => {
  const folder = `${findGatewayFolder(code)}/`;
  const own = files.filter((file) => file.startsWith(folder)).map((file) => file.slice(folder.length));

  it('the folder of a gateway has the files that every gateway has', () => {
    expect(COMMON.filter((file) => !own.includes(file))).toEqual([]);
  });

  it('the folder of a gateway has the page form of its flow', () => {
    const form = findManifest(code).flow === 'redirect' ? 'page/bank-form.ts' : 'page/card-form.ts';
    expect(own).toContain(form);
  });

  it('the README of a gateway names the vendor and every further file', async () => {
    const readme = await readProjectFile(`${folder}README.md`);
    const further = own.filter((file) => !COMMON.includes(file) && !/\.test\.ts$|^test\//.test(file));
    expect(readme).toContain(findManifest(code).vendor);
    expect(further.filter((file) => !listFilesNamedIn(readme).includes(file))).toEqual([]);
  });
});

/** Paths in backticks; `{a,b}.ts` stands for two. */
function listFilesNamedIn(readme: string): string[] {
  return [...readme.matchAll(/`([\w/.-]*)(?:\{([\w,-]+)\}([\w.]*))?`/g)].flatMap(
    ([, start = '', names, end = '']) =>
      names === undefined ? [start] : names.split(',').map((name) => start + name + end),
  );
}

function inSandbox(name: string): string {
  return `sandbox/${name}.ts`;
}
