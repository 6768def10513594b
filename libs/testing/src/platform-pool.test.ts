import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from './eventually.ts';
import { openPlatformPool, type PlatformPool } from './platform-pool.ts';
import type { Platform } from './platform.ts';

/** The starts and stops of the platforms of a pool, by their settings. */
let events: string[];
let pool: PlatformPool;
afterEach(() => pool.close());

function openPool(o: { idleMs: number; refuses?: boolean }): void {
  events = [];
  let sets = 0;
  const newMerchants = (gateways: readonly (string | null)[]) => {
    sets += 1;
    return Promise.resolve(gateways.map((gateway) => ({ name: `set ${sets}`, gateway })));
  };
  const open = (settings: Readonly<Record<string, string>>) => {
    const name = JSON.stringify(settings);
    events.push(`start ${name}`);
    if (o.refuses) return Promise.reject(new Error('no port is free'));
    const close = () => Promise.resolve(void events.push(`stop ${name}`));
    return Promise.resolve({ opened: { newMerchants }, dataDir: name, close } as unknown as Platform);
  };
  pool = openPlatformPool(open, o);
}

const wish = (settings: Readonly<Record<string, string>> = {}) => ({ merchants: ['multi', null], settings });

describe('the pool of platforms', () => {
  it('the pool of platforms lends one platform to all who want the same settings, each with merchants of its own', async () => {
    openPool({ idleMs: 60_000 });
    const loans = await Promise.all([
      pool.lend(wish({ A: '1', B: '2' })),
      pool.lend(wish({ B: '2', A: '1' })),
    ]);
    expect(events).toEqual(['start {"A":"1","B":"2"}']);
    expect(new Set(loans.map(({ dataDir }) => dataDir)).size).toBe(1);
    expect(loans.map(({ merchants }) => merchants.map(({ name }) => name)).toSorted()).toEqual([
      ['set 1', 'set 1'],
      ['set 2', 'set 2'],
    ]);
  });

  it('a test file gets the merchants that it wants, and no others', async () => {
    openPool({ idleMs: 60_000 });
    const { merchants } = await pool.lend({ merchants: ['gateway_b', null] });
    expect(merchants.map(({ gateway }) => gateway)).toEqual(['gateway_b', null]);
  });

  it('the pool of platforms starts another one for other settings', async () => {
    openPool({ idleMs: 60_000 });
    await pool.lend(wish());
    await pool.lend(wish({ A: '1' }));
    expect(events).toEqual(['start {}', 'start {"A":"1"}']);
  });

  it('the pool of platforms keeps a platform for the next file, and stops it when none comes', async () => {
    openPool({ idleMs: 100 });
    const [first, second] = [await pool.lend(wish()), await pool.lend(wish())];
    pool.giveBack(first.id);
    pool.giveBack(first.id);
    pool.giveBack(second.id);
    const third = await pool.lend(wish());
    expect(events).toEqual(['start {}']);
    pool.giveBack(third.id);
    await eventually(() => events.includes('stop {}') || undefined);
    await pool.lend(wish());
    expect(events).toEqual(['start {}', 'stop {}', 'start {}']);
  });

  it('the pool of platforms stops every platform at the end, lent or not', async () => {
    openPool({ idleMs: 60_000 });
    await pool.lend(wish());
    pool.giveBack((await pool.lend(wish({ A: '1' }))).id);
    await pool.close();
    expect(events.slice(2).toSorted()).toEqual(['stop {"A":"1"}', 'stop {}']);
  });

  it('the pool of platforms reports why a platform did not start, and tries again at the next request', async () => {
    openPool({ idleMs: 60_000, refuses: true });
    await expect(pool.lend(wish())).rejects.toThrow('no port is free');
    await expect(pool.lend(wish())).rejects.toThrow('no port is free');
    expect(events).toEqual(['start {}', 'start {}']);
  });
});
