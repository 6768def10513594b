import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findTool } from '@gp/testing';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { root } from '../support/stack.ts';
import { packClient, type PackedClient, type ProjectKind } from './project.ts';
import type { Result, Task } from './programs/pay-group.ts';
import { expectPaid, prepareTask } from './task.ts';

type Run = { runtime: string; kind: ProjectKind; tool: string; args: string[] };
const runs = [
  { runtime: 'Node 20, ES modules', kind: 'esm', name: 'node20', args: ['main.js'] },
  { runtime: 'Node 20, CommonJS', kind: 'commonjs', name: 'node20', args: ['main.js'] },
  { runtime: 'Deno', kind: 'esm', name: 'deno', args: ['run', '--allow-net', '--allow-env', 'main.js'] },
  { runtime: 'Bun', kind: 'esm', name: 'bun', args: ['main.js'] },
] as const;

const possible: Run[] = runs.flatMap(({ name, args, ...run }) => {
  const tool = findTool(name, `the client under ${name}`);
  return tool === undefined ? [] : [{ ...run, tool, args: [...args] }];
});

let shared: SharedStack;
let client: PackedClient;
let task: Task;
const projects = new Map<ProjectKind, ReturnType<PackedClient['openProject']>>();

beforeAll(async () => {
  client = packClient();
  for (const kind of ['esm', 'commonjs', 'typescript'] as const) projects.set(kind, client.openProject(kind));
  shared = await openSharedStack({ merchants: ['gateway_b'] });
  task = await prepareTask(shared.stack);
}, 240_000);
afterAll(async () => {
  client?.remove();
  await shared?.close();
});

async function runProgram(kind: ProjectKind, tool: string, args: readonly string[]): Promise<Result> {
  const printed = await projects.get(kind)?.run(tool, args, { TASK: JSON.stringify(task) });
  return JSON.parse(printed ?? '') as Result;
}

it.each(possible)('the packed client pays a group under $runtime', async ({ kind, tool, args }) => {
  expectPaid(await runProgram(kind, tool, args));
});

/** The runtime of edge functions, as a module that Node loads; undefined where it cannot be had. */
const edgeRuntime = findTool('edge-runtime', 'the client in an edge function');
const runOnEdge = join(import.meta.dirname, 'run-on-edge.ts');

for (const runtime of edgeRuntime === undefined ? [] : [edgeRuntime])
  it('the packed client, bundled, pays a group in an edge function', async () => {
    const bundle = await projects.get('esm')?.bundle();
    expectPaid(await runProgram('esm', process.execPath, [runOnEdge, runtime, bundle ?? '']));
  });

const compile = (...options: readonly string[]) =>
  projects
    .get('typescript')
    ?.run(process.execPath, [
      join(root, 'node_modules/typescript/bin/tsc'),
      ...['--ignoreConfig', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'],
      ...['--target', 'es2022', '--types', 'node', '--typeRoots', join(root, 'node_modules/@types')],
      ...options,
      'main.ts',
    ]);

it('a TypeScript project compiles strictly against the packed client, declarations included, and pays a group', async () => {
  await compile('--module', 'nodenext', '--outDir', 'out');
  expectPaid(await runProgram('typescript', process.execPath, ['out/main.js']));
  await compile('--module', 'esnext', '--moduleResolution', 'bundler', '--noEmit');
});

const oldest = findTool('oldest-typescript', 'the client under the oldest TypeScript of its README');

if (oldest !== undefined)
  it('the README names the oldest TypeScript that compiles a project against the packed client, declarations included', async () => {
    const project = projects.get('typescript')!;
    const printed = await project.run(process.execPath, [oldest, '--version']);
    const readme = readFileSync(join(root, 'libs/client/README.md'), 'utf8');
    const named = /TypeScript needs version (\S+) or newer/.exec(readme)?.[1] ?? 'none';
    expect(printed).toMatch(`Version ${named}.`);
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, types: [] },
      ...{ target: 'es2022', lib: ['es2022', 'dom'], module: 'nodenext' },
    };
    const settings = JSON.stringify({ compilerOptions, files: ['pay-group.ts'] });
    writeFileSync(join(project.folder, 'tsconfig.json'), settings);
    await project.run(process.execPath, [oldest, '-p', '.']);
  });

it('the compiler refuses a field that an event of that type does not have', async () => {
  const wrong = `import type { WebhookEvent } from '@group-payments/client/webhooks';
export const read = (event: WebhookEvent) => (event.type === 'group_payment.paid' ? event.data.customer_email : '');`;
  writeFileSync(join(projects.get('typescript')?.folder ?? '', 'wrong.ts'), wrong);
  await expect(compile('--module', 'nodenext', '--noEmit', 'wrong.ts')).rejects.toMatchObject({
    stdout: expect.stringContaining("Property 'customer_email' does not exist") as unknown,
  });
});
