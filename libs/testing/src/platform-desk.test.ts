import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from './eventually.ts';
import { openPlatformDesk, type PlatformDesk } from './platform-desk.ts';
import type { Platform } from './platform.ts';

/** The starts and stops of the platforms of a desk, by their settings. */
let events: string[];
let desk: PlatformDesk;
afterEach(() => desk.close());

function openDesk(o: { idleMs: number; refuses?: boolean }): void {
  events = [];
  let sets = 0;
  const newMerchants = () => Promise.resolve([{ name: `set ${(sets += 1)}` }]);
  const open = (settings: Readonly<Record<string, string>>) => {
    const name = JSON.stringify(settings);
    events.push(`start ${name}`);
    if (o.refuses) return Promise.reject(new Error('no port is free'));
    const close = () => Promise.resolve(void events.push(`stop ${name}`));
    return Promise.resolve({ opened: { newMerchants }, dataDir: name, close } as unknown as Platform);
  };
  desk = openPlatformDesk(open, o);
}

describe('the desk that lends platforms', () => {
  it('lends one platform to all who want the same settings, each with merchants of its own', async () => {
    openDesk({ idleMs: 60_000 });
    const loans = await Promise.all([desk.lend({ A: '1', B: '2' }), desk.lend({ B: '2', A: '1' })]);
    expect(events).toEqual(['start {"A":"1","B":"2"}']);
    expect(new Set(loans.map(({ dataDir }) => dataDir)).size).toBe(1);
    expect(loans.map(({ merchants }) => merchants[0]?.name).toSorted()).toEqual(['set 1', 'set 2']);
  });

  it('starts another one for other settings', async () => {
    openDesk({ idleMs: 60_000 });
    await desk.lend({});
    await desk.lend({ A: '1' });
    expect(events).toEqual(['start {}', 'start {"A":"1"}']);
  });

  it('keeps a platform for the next file, and stops it when none comes', async () => {
    openDesk({ idleMs: 100 });
    const [first, second] = [await desk.lend({}), await desk.lend({})];
    desk.giveBack(first.id);
    desk.giveBack(first.id);
    desk.giveBack(second.id);
    const third = await desk.lend({});
    expect(events).toEqual(['start {}']);
    desk.giveBack(third.id);
    await eventually(() => events.includes('stop {}') || undefined);
    await desk.lend({});
    expect(events).toEqual(['start {}', 'stop {}', 'start {}']);
  });

  it('stops every platform at the end, lent or not', async () => {
    openDesk({ idleMs: 60_000 });
    await desk.lend({});
    desk.giveBack((await desk.lend({ A: '1' })).id);
    await desk.close();
    expect(events.slice(2).toSorted()).toEqual(['stop {"A":"1"}', 'stop {}']);
  });

  it('tells why a platform did not start, and tries again for the next one who asks', async () => {
    openDesk({ idleMs: 60_000, refuses: true });
    await expect(desk.lend({})).rejects.toThrow('no port is free');
    await expect(desk.lend({})).rejects.toThrow('no port is free');
    expect(events).toEqual(['start {}', 'start {}']);
  });
});
