import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Generated } from '@gp/testing';
import { parse } from 'yaml';
import { root } from '../support/stack.ts';
import type { Figure } from './ratios.ts';
import { renderBenchmarks, type Result } from './render.ts';
import { renderSizing } from './sizing.ts';

const file = join(root, 'test/bench/results.json');

/** The published results, in the order of the table. */
export async function readResults(): Promise<readonly Result[]> {
  return (JSON.parse(await readFile(file, 'utf8')) as { figures: readonly Result[] }).figures;
}

/** Replaces the published value of each measured figure and keeps the others; adds new ones at the end. */
export function mergeResults(results: readonly Result[], measured: readonly Result[]): readonly Result[] {
  const byId = new Map([...results, ...measured].map((result) => [result.id, result]));
  return [...byId.values()];
}

/** Publishes the figures of a run: writes results.json, from which `npm run generate` renders docs/benchmarks.md. */
export async function recordFigures(figures: readonly Figure[]): Promise<void> {
  const measured = `${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores`;
  const results = figures.map(({ id, what, value, goal, reached, cpuMs, breakdown }) => ({
    ...{ id, what, value, goal },
    verdict: reached ? 'reached' : 'missed',
    measured,
    ...(cpuMs && { cpuMs }),
    ...(breakdown && { breakdown }),
  }));
  const merged = mergeResults(await readResults(), results);
  await writeFile(file, `${JSON.stringify({ figures: merged }, null, 2)}\n`);
}

/** docs/benchmarks.md and docs/sizing.md as the recorded results render them. */
export async function describeGenerated(): Promise<Generated> {
  const results = await readResults();
  const { cpuMs = {}, measured = '' } = results.find(({ id }) => id === PAYMENT) ?? {};
  const pools = parse(await readFile(join(root, 'charts/group-payments/pools.yaml'), 'utf8')) as Pools;
  return {
    folder: join(root, 'docs'),
    files: {
      'benchmarks.md': await renderBenchmarks(results),
      'sizing.md': await renderSizing({ cpuMs, measured }, pools),
    },
  };
}

/** The measure of a whole payment. */
const PAYMENT = 'P6';
type Pools = Readonly<Record<string, number>>;
