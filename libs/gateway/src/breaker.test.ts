import { describe, expect, it } from '@jest/globals';
import { openBreaker, type Breaker } from './breaker.ts';

const isUnknown = (answer: string) => answer === 'unknown';
const settings = { resetMs: 5_000, volumeThreshold: 10, merchantThreshold: 3 };

/** A breaker and a clock for it. */
function breakerFor(mode: 'test' | 'live' = 'test') {
  const clock = { now: 1_000_000 };
  const about = { psp: 'gateway_x', operation: 'prepare', mode };
  return { clock, breaker: openBreaker(about, settings, () => clock.now) };
}

/** Calls so often and returns how many calls were made. */
async function callTimes(breaker: Breaker, merchantId: string, times: number, answer = 'unknown') {
  let made = 0;
  for (let i = 0; i < times; i += 1)
    await breaker.run(merchantId, () => Promise.resolve(((made += 1), answer)), isUnknown);
  return made;
}

describe('the breaker of an operation', () => {
  it('the breaker of an operation never opens because of declines', async () => {
    const { breaker } = breakerFor();
    expect(await callTimes(breaker, 'm1', 40, 'declined')).toBe(40);
  });

  it('the breaker of an operation opens after calls without a reply, and then refuses at once without calling', async () => {
    const { breaker } = breakerFor();
    expect(await callTimes(breaker, 'm1', 25)).toBe(10);
    expect(await breaker.run('m1', () => Promise.resolve('approved'), isUnknown)).toBeUndefined();
  });

  it('the breaker that 25 failing calls of one merchant open lets another merchant’s calls through (N3)', async () => {
    const { breaker } = breakerFor();
    await callTimes(breaker, 'm1', 25);
    expect(await callTimes(breaker, 'm2', 5, 'approved')).toBe(5);
    expect(await callTimes(breaker, 'm1', 1)).toBe(0);
  });

  it('the breaker of an operation opens for all when the calls of several merchants fail, few of each (N3)', async () => {
    const { breaker } = breakerFor();
    for (const merchant of ['m1', 'm2', 'm3', 'm4']) await callTimes(breaker, merchant, 3);
    expect(await callTimes(breaker, 'm5', 1)).toBe(0);
  });

  it('the breaker of an operation stays closed for all while most merchants get replies (N3)', async () => {
    const { breaker } = breakerFor();
    for (const merchant of ['m1', 'm2', 'm3', 'm4']) await callTimes(breaker, merchant, 1, 'approved');
    for (const merchant of ['m5', 'm6', 'm7']) await callTimes(breaker, merchant, 9);
    expect(await callTimes(breaker, 'm8', 1, 'approved')).toBe(1);
  });

  it('the breaker of an operation lets one call of a refused merchant through, and closes when it succeeds', async () => {
    const { breaker, clock } = breakerFor();
    await callTimes(breaker, 'm1', 10);
    clock.now += settings.resetMs;
    expect(await callTimes(breaker, 'm1', 2)).toBe(1);
    clock.now += settings.resetMs;
    expect(await callTimes(breaker, 'm1', 5, 'approved')).toBe(5);
  });

  it('the breaker of an operation closes for all when one merchant’s call succeeds, whatever another’s did', async () => {
    const { breaker, clock } = breakerFor();
    for (const merchant of ['m1', 'm2', 'm3', 'm4']) await callTimes(breaker, merchant, 3);
    clock.now += settings.resetMs;
    let answer: (text: string) => void = () => undefined;
    const slow = breaker.run('m1', () => new Promise<string>((resolve) => (answer = resolve)), isUnknown);
    expect(await callTimes(breaker, 'm2', 1, 'approved')).toBe(1);
    answer('unknown');
    await slow;
    expect(await callTimes(breaker, 'm5', 3, 'approved')).toBe(3);
  });

  it('the breaker of an operation counts calls of the last ten seconds only', async () => {
    const { breaker, clock } = breakerFor();
    await callTimes(breaker, 'm1', 9);
    clock.now += 11_000;
    expect(await callTimes(breaker, 'm1', 9)).toBe(9);
  });
});
