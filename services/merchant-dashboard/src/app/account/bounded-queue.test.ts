import { describe, expect, it } from '@jest/globals';
import { openBoundedQueue } from './bounded-queue.ts';

/** Work that runs until it is ended, and the order in which it started. */
function controlled() {
  const started: number[] = [];
  const ends = new Map<number, (error?: Error) => void>();
  const work = (id: number) => () => {
    started.push(id);
    return new Promise<number>((resolve, reject) => {
      ends.set(id, (error) => (error ? reject(error) : resolve(id)));
    });
  };
  return { started, work, end: (id: number, error?: Error) => ends.get(id)?.(error) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a bounded queue', () => {
  it('runs as many at once as it may, the others in the order of arrival (K1)', async () => {
    const { started, work, end } = controlled();
    const run = openBoundedQueue({ atOnce: 2, waiting: 2 });
    const results = [1, 2, 3, 4].map((id) => run('somebody', work(id)));
    await settled();
    expect(started).toEqual([1, 2]);
    end(2);
    await settled();
    expect(started).toEqual([1, 2, 3]);
    for (const id of [1, 3]) end(id);
    await settled();
    end(4);
    expect(await Promise.all(results)).toEqual([1, 2, 3, 4]);
  });

  it('a full queue refuses further work, with a pause, and does not run it (K1)', async () => {
    const { started, work, end } = controlled();
    const run = openBoundedQueue({ atOnce: 1, waiting: 1 });
    const kept = [run('somebody', work(1)), run('somebody', work(2))];
    await expect(run('somebody', work(3))).rejects.toMatchObject({
      code: 'service_unavailable',
      data: { retryAfterSeconds: 2 },
    });
    end(1);
    await settled();
    end(2);
    await Promise.all(kept);
    expect(started).toEqual([1, 2]);
  });

  it('a bounded queue serves its clients in turn, however much one of them has waiting (K1)', async () => {
    const { started, work, end } = controlled();
    const run = openBoundedQueue({ atOnce: 1, waiting: 10 });
    const flood = [1, 2, 3, 4].map((id) => run('flood', work(id)));
    const other = run('other', work(5));
    await settled();
    for (const id of [1, 2, 5, 3, 4]) {
      end(id);
      await settled();
    }
    await Promise.all([...flood, other]);
    expect(started).toEqual([1, 2, 5, 3, 4]);
  });

  it('a full queue refuses the newest work of the client that has most waiting (K1)', async () => {
    const { started, work, end } = controlled();
    const run = openBoundedQueue({ atOnce: 1, waiting: 2 });
    const flood = [1, 2, 3].map((id) => run('flood', work(id)));
    const dropped = expect(flood[2]).rejects.toMatchObject({ code: 'service_unavailable' });
    const other = run('other', work(4));
    await dropped;
    await expect(run('third', work(5))).rejects.toMatchObject({ code: 'service_unavailable' });
    for (const id of [1, 2, 4]) {
      await settled();
      end(id);
    }
    await Promise.all([flood[0], flood[1], other]);
    expect(started).toEqual([1, 2, 4]);
  });

  it('a bounded queue gives the place of failed work to the next client', async () => {
    const { started, work, end } = controlled();
    const run = openBoundedQueue({ atOnce: 1, waiting: 1 });
    const failed = run('somebody', work(1));
    const next = run('somebody', work(2));
    await settled();
    end(1, new Error('failed'));
    await expect(failed).rejects.toThrow('failed');
    await settled();
    end(2);
    expect(await next).toBe(2);
    expect(started).toEqual([1, 2]);
  });
});
