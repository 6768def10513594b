import { describe, expect, it } from '@jest/globals';
import { metrics } from '@gp/telemetry';
import fc from 'fast-check';
import type { LanePolicy } from '../../domain/lane.ts';
import { openLaneBook } from './lane-book.ts';

const policy: LanePolicy = { cap: 10, openAfter: 5, pauseMs: 1_000, longestPauseMs: 8_000 };
const pool = { most: 40, aside: 80, slowMs: 1_000 };

function open() {
  let nowMs = 0;
  const book = openLaneBook(policy, pool, () => nowMs);
  const under = new Map<string, ((answered: boolean) => void)[]>();
  const countUnderWay = (id: string) => under.get(id)?.length ?? 0;
  return {
    book,
    countUnderWay,
    total: () => [...under.values()].reduce((sum, ends) => sum + ends.length, 0),
    pass: (ms: number) => (nowMs += ms),
    /** Sends everything that one pass may send when all of these are due; returns how much that was. */
    fill(ids: readonly string[]): number {
      const closed = new Set(book.closed());
      let left = book.room();
      const before = left;
      const free = ids.filter((id) => !closed.has(id));
      book.allot(free).forEach((allotted, at) => {
        const id = free[at]!;
        for (; left > 0 && countUnderWay(id) < allotted; left -= 1)
          under.set(id, [...(under.get(id) ?? []), book.begin(id)]);
      });
      return before - left;
    },
    answer(ids: readonly string[], answered = true) {
      for (const id of ids) {
        for (const end of under.get(id) ?? []) end(answered);
        under.delete(id);
      }
    },
  };
}
const named = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}${at}`);

describe('endpoints that hang', () => {
  it('endpoints that hang get half of the pool at most: those that replied always find room', () => {
    const { book, fill, answer, total, pass } = open();
    const healthy = named('healthy', 4);
    for (let times = 0; times < 2; times += 1) {
      fill(healthy);
      answer(healthy);
    }
    const hanging = named('hanging', 1_000);
    for (let tries = 0; tries < 10; tries += 1) fill(hanging);
    expect(total()).toBe(20);
    expect(book.room()).toBe(20);
    expect(fill(healthy)).toBe(20);
    answer(healthy);
    // Slow by now, they wait aside, while there is room; half of the pool is never theirs.
    for (let second = 0; second < 60; second += 1) {
      pass(1_000);
      fill(hanging);
      expect(total()).toBeLessThanOrEqual(100);
      expect(fill(healthy)).toBe(20);
      answer(healthy);
    }
    expect(total()).toBe(100);
  });

  it('endpoints that hang after they had replied hold the pool no longer than the time to notice it', () => {
    const { book, fill, answer, pass, countUnderWay, total } = open();
    const turning = named('turning', 8);
    for (let times = 0; times < 8; times += 1) {
      fill(turning);
      answer(turning);
      turning.push(...turning.splice(0, 4));
    }
    expect(fill(turning)).toBe(40);
    expect(book.room()).toBe(0);
    pass(1_000);
    expect(book.room()).toBe(40);
    fill(turning);
    pass(1_000);
    expect([total(), book.room(), Math.max(...turning.map(countUnderWay))]).toEqual([80, 40, 10]);
  });

  it('endpoints that hang do not displace new endpoints, which come first when there is room again', () => {
    const { fill, answer, book, countUnderWay } = open();
    const unknown = named('unknown', 50);
    fill(unknown);
    expect(unknown.map(countUnderWay)).toEqual([...Array<number>(10).fill(2), ...Array<number>(40).fill(0)]);
    // Their share is used up: the next claim must not even read the deliveries that are left out, in any number.
    expect(new Set(book.closed())).toEqual(new Set(unknown));
    expect(fill(['never seen', ...unknown])).toBe(0);
    answer(unknown.slice(0, 1), false);
    expect(book.closed()).not.toContain('unknown20');
    expect(book.allot(unknown.slice(20, 22))).toEqual([2, 0]);
  });

  it('endpoints that hang are trusted again with the first reply', () => {
    const { fill, answer, book } = open();
    fill(['one']);
    answer(['one'], false);
    expect(book.allot(['one'])).toEqual([1]);
    fill(['one']);
    answer(['one']);
    fill(named('hanging', 100));
    expect(book.room()).toBe(20);
    expect(book.allot(['one'])).toEqual([2]);
  });
});

describe('endpoints that hold no test clock (F12)', () => {
  it('an endpoint with an open breaker holds no test clock until it answers (F12)', () => {
    const { book, fill, answer, pass } = open();
    for (let failed = 0; failed < policy.openAfter;) {
      expect(book.unresponsive()).toEqual([]);
      failed += fill(['refusing']);
      answer(['refusing'], false);
    }
    expect(book.unresponsive()).toEqual(['refusing']);
    pass(policy.pauseMs);
    fill(['refusing']);
    expect(book.unresponsive()).toEqual(['refusing']);
    answer(['refusing']);
    expect(book.unresponsive()).toEqual([]);
  });

  it('an endpoint without an answer for three seconds holds no test clock until it answers sooner (F12)', () => {
    const { book, fill, answer, pass } = open();
    fill(['hanging', 'quick']);
    pass(2_999);
    expect(book.unresponsive()).toEqual([]);
    answer(['quick']);
    pass(1);
    expect(book.unresponsive()).toEqual(['hanging']);
    answer(['hanging'], false);
    expect(book.unresponsive()).toEqual(['hanging']);
    fill(['hanging']);
    answer(['hanging']);
    expect(book.unresponsive()).toEqual([]);
  });
});

it('the lane book returns the fullest lanes, as many as requested', () => {
  const { book, fill, answer } = open();
  fill(['one']);
  answer(['one']);
  fill(['one', 'two', 'three']);
  const shown = book.fullest(2);
  expect(shown.map(({ endpointId }) => endpointId)).toEqual(['one', 'two']);
  expect(shown[0]!.count).toBeGreaterThan(shown[1]!.count);
});

describe('the pool', () => {
  it('the metric of the pool is its use when it is asked, though nothing was claimed since', async () => {
    const readShare = async () => {
      const text = await metrics.registry.getSingleMetricAsString('gp_webhook_pool_used_ratio');
      return Number(text.trim().split(' ').at(-1));
    };
    const { fill, answer } = open();
    const ids = named('endpoint', 10);
    expect(await readShare()).toBe(0);
    fill(ids);
    expect(await readShare()).toBeGreaterThan(0.4);
    answer(ids);
    expect(await readShare()).toBe(0);
  });

  it('the pool never holds more than its size and the reserve, whatever is sent, answered or left hanging', () => {
    const ids = named('lane', 30);
    const step = fc.oneof(
      fc.record({ what: fc.constant('fill' as const), ids: fc.subarray(ids) }),
      fc.record({ what: fc.constantFrom('answer' as const, 'fail' as const), ids: fc.subarray(ids) }),
      fc.record({ what: fc.constant('pass' as const), ids: fc.constant<string[]>([]) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { fill, answer, pass, total, countUnderWay, book } = open();
        for (const { what, ids: some } of steps) {
          if (what === 'fill') fill(some);
          else if (what === 'pass') pass(700);
          else answer(some, what === 'answer');
          expect(total()).toBeLessThanOrEqual(pool.most + pool.aside);
          expect(Math.max(0, ...ids.map(countUnderWay))).toBeLessThanOrEqual(policy.cap);
          expect(book.room()).toBeLessThanOrEqual(pool.most);
        }
      }),
    );
  });
});
