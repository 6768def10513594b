import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { naturalBatch, type BatchOptions } from './index.ts';

const overloaded = (): Error => new Error('overloaded');

/** A batcher whose runs wait until the test lets them return. */
function gated(limits: Partial<Omit<BatchOptions<number, number>, 'run'>> = {}) {
  const runs: {
    items: readonly number[];
    answer: (verdicts?: readonly (number | Error)[]) => void;
    fail: (e: Error) => void;
  }[] = [];
  const submit = naturalBatch<number, number>({
    maxSize: 10,
    maxQueued: 100,
    overloaded,
    ...limits,
    run: (items) =>
      new Promise((resolve, reject) => {
        runs.push({ items, answer: (verdicts = items) => resolve(verdicts), fail: reject });
      }),
  });
  const run = (index: number) => {
    const found = runs[index];
    if (!found) throw new Error(`there is no run ${index}`);
    return found;
  };
  return { submit, runs, run };
}

/** Runs everything that is ready. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('natural batching', () => {
  it('natural batching starts an idle batcher at once, without waiting for more items', async () => {
    const { submit, runs, run } = gated();
    const verdict = submit(1);
    await Promise.resolve();
    expect(runs).toHaveLength(1);
    run(0).answer();
    await expect(verdict).resolves.toBe(1);
  });

  it('natural batching sends together what queued while a run was in flight', async () => {
    const { submit, runs, run } = gated();
    const first = submit(1);
    await settled();
    const rest = [submit(2), submit(3), submit(4)];
    await settled();
    expect(runs.map(({ items }) => items)).toEqual([[1]]);
    run(0).answer();
    await first;
    await settled();
    expect(run(1).items).toEqual([2, 3, 4]);
    run(1).answer();
    await expect(Promise.all(rest)).resolves.toEqual([2, 3, 4]);
  });

  it('natural batching never exceeds the batch size or the number of runs in flight', async () => {
    const { submit, runs, run } = gated({ maxSize: 2, inFlight: 2 });
    const verdicts = [1, 2, 3, 4, 5].map(submit);
    await settled();
    expect(runs.map(({ items }) => items)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    run(1).answer();
    await settled();
    expect(run(2).items).toEqual([5]);
    run(0).answer();
    run(2).answer();
    await expect(Promise.all(verdicts)).resolves.toEqual([1, 2, 3, 4, 5]);
  });

  it('natural batching refuses at once when the queue is full, and accepts again when it is not', async () => {
    const { submit, run } = gated({ maxQueued: 2 });
    const running = submit(1);
    await settled();
    const queued = [submit(2), submit(3)];
    await expect(submit(4)).rejects.toThrow('overloaded');
    run(0).answer();
    await running;
    await settled();
    const later = submit(5);
    run(1).answer();
    await Promise.all(queued);
    await settled();
    run(2).answer();
    await expect(later).resolves.toBe(5);
  });

  it('natural batching gives every item its own result', async () => {
    const { submit, run } = gated();
    const verdicts = Promise.allSettled([submit(1), submit(2), submit(3)]);
    await settled();
    run(0).answer([10, new Error('two is odd'), 30]);
    expect((await verdicts).map((v) => (v.status === 'fulfilled' ? v.value : String(v.reason)))).toEqual([
      10,
      'Error: two is odd',
      30,
    ]);
  });

  it('a run that fails rejects its own items and no others', async () => {
    const { submit, run } = gated({ maxSize: 2 });
    const doomed = Promise.allSettled([submit(1), submit(2)]);
    const fine = submit(3);
    await settled();
    run(0).fail(new Error('connection lost'));
    expect((await doomed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await settled();
    run(1).answer();
    await expect(fine).resolves.toBe(3);
  });

  it('a run that throws before it awaits anything rejects its items too', async () => {
    const submit = naturalBatch<number, number>({
      maxSize: 2,
      maxQueued: 2,
      overloaded,
      run: () => {
        throw new Error('broken');
      },
    });
    await expect(submit(1)).rejects.toThrow('broken');
    await expect(submit(2)).rejects.toThrow('broken');
  });

  it('a run with a missing result rejects its items instead of leaving one waiting', async () => {
    const { submit, run } = gated();
    const verdicts = Promise.allSettled([submit(1), submit(2)]);
    await settled();
    run(0).answer([1]);
    expect((await verdicts).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it.each([{ maxSize: 0 }, { maxQueued: 0 }, { inFlight: 0 }, { maxSize: 1.5 }])(
    'natural batching refuses limits such as %p',
    (limits) => {
      expect(() => gated(limits)).toThrow(RangeError);
    },
  );

  it('every accepted item is run exactly once, in order, and gets its own result', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.integer(), { minLength: 1, maxLength: 40 }),
        async (scheduler, maxSize, inFlight, items) => {
          const seen: number[] = [];
          let running = 0;
          const submit = naturalBatch<number, string>({
            maxSize,
            inFlight,
            maxQueued: 40,
            overloaded,
            run: async (batch) => {
              running += 1;
              expect(running).toBeLessThanOrEqual(inFlight);
              expect(batch.length).toBeLessThanOrEqual(maxSize);
              seen.push(...batch);
              await scheduler.schedule(Promise.resolve());
              running -= 1;
              return batch.map(String);
            },
          });
          const verdicts = Promise.all(items.map(submit));
          await scheduler.waitFor(verdicts);
          expect(await verdicts).toEqual(items.map(String));
          expect(seen).toEqual(items);
        },
      ),
    );
  });
});
