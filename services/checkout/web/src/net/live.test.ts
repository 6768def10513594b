import { afterAll, afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { keepLive } from './live.ts';
import type { Live } from './picture.ts';

const HALF_A_MINUTE = 30_000;
const ROUND_TRIP = 10;
const paid: Live = { rev: 1, state: 'paid', expires_at: '2026-01-01T01:00:00.000Z', slots: [] };
const server_time = '2026-01-01T00:00:00.000Z';

/** The parts of a browser that the feed listens to. */
const page = Object.assign(new EventTarget(), { hidden: false });
const known = { window: globalThis, document: page };
const missing = { addEventListener: () => undefined, removeEventListener: () => undefined };
const before = { fetch: globalThis.fetch, window: undefined, document: undefined };
Object.assign(globalThis, known, missing);
Object.defineProperty(navigator, 'onLine', { value: true, configurable: true });
afterAll(() => void Object.assign(globalThis, before));

const text = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
/** Returns a stream that sends one snapshot and the end of the group. */
const over = (live: Live): Response =>
  new Response(text('snapshot', { ...live, server_time }) + text('end', { reason: 'final' }));

let stop: () => void;
let asked = 0;
let seen: string[];
let renewed = 0;

/** Watches a group whose server gives these responses; the last one repeats. */
function watch(answers: readonly (() => Response)[], refresh = () => Promise.resolve('fresh')): void {
  const ended = new AbortController();
  globalThis.fetch = async () => {
    const answer = answers[Math.min(asked++, answers.length - 1)] as () => Response;
    await new Promise((resolve) => setTimeout(resolve, ROUND_TRIP));
    return answer();
  };
  stop = () => ended.abort();
  const refreshToken = () => {
    renewed++;
    return refresh();
  };
  const updates = {
    picture: ({ state }: Live) => void seen.push(state),
    serverTime: () => undefined,
    connected: () => undefined,
  };
  const tokens = { token: () => 'token', refreshToken };
  void keepLive(
    { url: 'https://pay.example', tokens, known: { ...paid, state: 'open', rev: 0 }, updates },
    ended.signal,
  );
}

/** Advances the time by this long and lets pending work finish. */
const passes = (ms: number) => jest.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  jest.useFakeTimers();
  [asked, renewed, seen, page.hidden] = [0, 0, [], false];
});
afterEach(async () => {
  stop();
  await passes(0);
  jest.useRealTimers();
});

describe('a group that is over', () => {
  const turn = (hidden: boolean): void => {
    page.hidden = hidden;
    page.dispatchEvent(new Event('visibilitychange'));
  };

  it('a group that has ended is read again now and then, and shows a refund (E4)', async () => {
    watch([() => over(paid), () => over({ ...paid, rev: 2, state: 'refunded' })]);
    await passes(HALF_A_MINUTE - 1_000);
    expect([asked, seen]).toEqual([1, ['paid']]);
    await passes(2_000);
    expect([asked, seen]).toEqual([2, ['paid', 'refunded']]);
  });

  it('a group that has ended is not read while nobody looks, and is read as soon as somebody does', async () => {
    watch([() => over(paid)]);
    await passes(1_000);
    turn(true);
    await passes(20 * HALF_A_MINUTE);
    expect(asked).toBe(1);
    turn(false);
    await passes(ROUND_TRIP);
    expect(asked).toBe(2);
  });
});

describe('a session that has ended', () => {
  const refused = () => new Response('{}', { status: 401 });

  it('a session that has ended continues at once with the next token', async () => {
    watch([refused, () => over(paid)]);
    await passes(2 * ROUND_TRIP);
    expect([renewed, seen]).toEqual([1, ['paid']]);
  });

  it('a session that has ended is requested again with long pauses while there is no other token', async () => {
    watch([refused], () => Promise.reject(new Error('no session')));
    await passes(60_000);
    expect(renewed).toBeGreaterThan(3);
    expect(renewed).toBeLessThan(60);
  });
});
