import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { OutboxRow } from './outbox.row.ts';
import { publishRows } from './publish-rows.ts';

const buildRows = (groups: readonly number[]): OutboxRow[] =>
  groups.map((group, i) => ({
    position: BigInt(i),
    id: String(i),
    subject: 's',
    group_key: `g${group}`,
    mode: 'test',
    payload: {},
    traceparent: null,
  }));

it('whatever fails, each group is published in order up to its first failure and not beyond', async () => {
  const rounds = fc.array(fc.record({ group: fc.nat(5), fails: fc.boolean() }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(rounds, fc.scheduler(), async (plan, scheduler) => {
      const rows = buildRows(plan.map((p) => p.group));
      const tried: OutboxRow[] = [];
      const round = publishRows(rows, async (row) => {
        tried.push(row);
        await scheduler.schedule(Promise.resolve());
        if (plan[Number(row.position)]?.fails === true) throw new Error('refused');
      });
      const { sent, failed } = await scheduler.waitFor(round);
      for (const [key, own] of Map.groupBy(rows, (row) => row.group_key)) {
        const firstFailure = own.findIndex((row) => plan[Number(row.position)]?.fails === true);
        const expected = firstFailure === -1 ? own : own.slice(0, firstFailure);
        expect(sent.filter((row) => row.group_key === key)).toEqual(expected);
        expect(failed.filter(({ row }) => row.group_key === key)).toHaveLength(firstFailure === -1 ? 0 : 1);
        expect(tried.filter((row) => row.group_key === key)).toHaveLength(
          expected.length + (firstFailure === -1 ? 0 : 1),
        );
      }
    }),
  );
});

it('groups go side by side, a hundred at most, and one group never overtakes itself', async () => {
  const rows = buildRows(Array.from({ length: 600 }, (_, i) => i % 300));
  const busy = new Set<string>();
  let most = 0;
  const release: (() => void)[] = [];
  const round = publishRows(rows, async (row) => {
    expect(busy.has(row.group_key)).toBe(false);
    busy.add(row.group_key);
    most = Math.max(most, busy.size);
    await new Promise<void>((resolve) => release.push(resolve));
    busy.delete(row.group_key);
  });
  let isOver = false;
  void round.then(() => (isOver = true));
  while (!isOver) {
    release.splice(0).forEach((go) => go());
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(most).toBe(100);
  expect((await round).sent).toHaveLength(600);
});

it('a round publishes nothing more once it is stopped', async () => {
  let published = 0;
  const { sent } = await publishRows(
    buildRows([1, 1, 2, 2]),
    () => {
      published += 1;
      return Promise.resolve();
    },
    () => published < 2,
  );
  expect([sent.length, published]).toEqual([2, 2]);
});
