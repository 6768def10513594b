import { describe, expect, it } from '@jest/globals';
import { staleFiles } from '@gp/testing';
import { createAsText } from '../bench/load/create-statement.ts';
import type { Result } from '../bench/render.ts';
import { describeGenerated, mergeResults, readResults } from '../bench/results.ts';
import { computeCores, countReplicas, renderSizing } from '../bench/sizing.ts';
import { listProjectFiles, readProjectFile } from './project-files.ts';

const result = (id: string, value: string): Result => ({
  ...{ id, value },
  what: 'a measure',
  goal: '≤1',
  verdict: 'reached',
  measured: '2026-01-01',
});

/** Ids of the figures that the measures in test/bench/measures report. */
async function listMeasuredIds(): Promise<readonly string[]> {
  const files = (await listProjectFiles()).filter((file) => file.startsWith('test/bench/measures/'));
  const texts = await Promise.all(files.map(readProjectFile));
  return texts.flatMap((text) =>
    [...text.matchAll(/(?:\bid: |\bfigure\(\s*)'([^']+)'/g)].map(([, id = '']) => id),
  );
}

describe('docs/benchmarks.md and docs/sizing.md', () => {
  it('docs/benchmarks.md and docs/sizing.md are what the recorded results render', async () => {
    expect(await staleFiles(await describeGenerated())).toEqual([]);
  });
});

describe('what a rate of payments needs', () => {
  it.each([
    [15, 10, 2],
    [15, 100, 3],
    [30, 20, 2],
    [30, 21, 2],
    [30, 41, 3],
  ])(
    '%p ms at %p payments a second need %p replicas, of which no core is used by more than 60 %%',
    (ms, rate, replicas) => {
      expect(countReplicas(ms, rate)).toBe(replicas);
      expect((ms * rate) / 1_000 / replicas).toBeLessThanOrEqual(0.6);
    },
  );

  it('cores are counted in tenths, and rounded up', () => {
    expect([computeCores(38, 10), computeCores(1, 1)]).toEqual([0.7, 0.1]);
  });

  it('every process of the page has its pool of connections in the sum', async () => {
    const [one, more] = await Promise.all([
      renderSizing({ cpuMs: { postgres: 1, a: 1 }, measured: 'today' }, { a: 3 }),
      renderSizing({ cpuMs: { postgres: 1, a: 1, b: 600 }, measured: 'today' }, { a: 3, b: 4 }),
    ]);
    const sums = (page: string) =>
      page
        .match(/connections to Postgres(.*)/)?.[1]
        ?.match(/\d+/g)
        ?.map(Number);
    expect(sums(one)).toEqual([8, 8, 8, 8]);
    expect(sums(more)).toEqual([18, 58, 258, 1008]);
  });
});

describe('the create statement of the load', () => {
  it('the create statement of the load has a value for each parameter of the ledger’s statement', () => {
    expect(createAsText()).not.toMatch(/\$\d/);
  });
});

describe('the recorded results', () => {
  it('the recorded results have each id once', async () => {
    const ids = (await readResults()).map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
  });

  it('the recorded results use the ids of the measures, so that the next run replaces them', async () => {
    const measured = new Set(await listMeasuredIds());
    const recorded = (await readResults()).map(({ id }) => id);
    expect(recorded.filter((id) => !measured.has(id))).toEqual([]);
  });

  it('the recorded results keep what a run did not measure, in the same order', () => {
    const merged = mergeResults([result('a', '1'), result('b', '2')], [result('b', '3'), result('c', '4')]);
    expect(merged.map(({ id, value }) => id + value)).toEqual(['a1', 'b3', 'c4']);
  });
});
