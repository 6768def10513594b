import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Generated } from '@gp/testing';
import { root } from '../support/stack.ts';
import type { Figure } from './ratios.ts';
import { renderBenchmarks, type Result } from './render.ts';

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
  const results = figures.map(({ id, what, value, goal, reached }) => ({
    ...{ id, what, value, goal },
    verdict: reached ? 'reached' : 'missed',
    measured,
  }));
  const merged = mergeResults(await readResults(), results);
  await writeFile(file, `${JSON.stringify({ figures: merged }, null, 2)}\n`);
}

/** docs/benchmarks.md as the recorded results render it. */
export async function describeGenerated(): Promise<Generated> {
  return {
    folder: join(root, 'docs'),
    files: { 'benchmarks.md': await renderBenchmarks(await readResults()) },
  };
}
