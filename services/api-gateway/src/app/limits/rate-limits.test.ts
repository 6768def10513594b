import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toSessionCaller, type Caller, type SecretCaller } from '../callers/caller.ts';
import { rateLimits, type LimitedRequest, type Rates } from './rate-limits.ts';

const rates: Rates = {
  live: { perSecond: 10, burst: 20 },
  test: { perSecond: 2, burst: 4 },
  create: { perSecond: 1, burst: 2 },
  session: { perSecond: 1, burst: 1 },
  group: { perSecond: 1, burst: 3 },
  payers: { perSecond: 1, burst: 5 },
  address: { perSecond: 1, burst: 2 },
  session_payment: { perSecond: 0.1, burst: 1 },
  address_payment: { perSecond: 0.1, burst: 2 },
};
const caller = (o: Partial<SecretCaller> = {}): Caller => ({
  kind: 'secret_key',
  merchantId: 'm1',
  mode: 'test',
  principal: 'secret',
  ...o,
});

/** Limits whose clock a test moves. */
function limited() {
  const clock = { ms: 0 };
  const limits = rateLimits(rates, () => clock.ms);
  const takeAll = (isCreate = false, who = caller()) => {
    let count = 0;
    while (limits.take(who, isCreate ? { starts: 'group_payment' } : {}).isAllowed) count += 1;
    return count;
  };
  return { clock, ...limits, takeAll };
}

describe('one bucket per session token (Q11)', () => {
  const token = (jti: string, o = {}) => {
    const claims = {
      mid: 'm1',
      gp: 'g1',
      mode: 'test' as const,
      scope: [],
      jti,
      epoch: 0,
      limited: false,
      ...o,
    };
    return toSessionCaller(claims);
  };

  it('payers of one group do not wait for one another, nor does their merchant wait for them', () => {
    const { takeAll } = limited();
    expect([token('a'), token('a'), token('b')].map((who) => takeAll(false, who))).toEqual([1, 0, 1]);
    expect(takeAll()).toBe(4);
    expect(takeAll(false, token('c'))).toBe(1);
  });

  it('a token of another merchant or mode takes nothing from these', () => {
    const { takeAll } = limited();
    for (const o of [{ mid: 'm2' }, { mode: 'live' }]) expect(takeAll(false, token('a', o))).toBe(1);
    expect([takeAll(false, token('a')), takeAll()]).toEqual([1, 4]);
  });
});

describe('payers who make many tokens of one link (X6)', () => {
  const token = (n: number, gp = 'g1') =>
    toSessionCaller({ mid: 'm1', gp, mode: 'test', scope: [], jti: `t${n}`, epoch: 0, limited: false });
  const first = ({ take }: ReturnType<typeof limited>, requests: readonly [Caller, LimitedRequest][]) =>
    requests.map(([who, request]) => {
      const { isAllowed, kind } = take(who, request);
      return isAllowed ? 'in' : kind;
    });

  it('many tokens of one link share the bucket of their group, and of their merchant, whose own requests go on (X6)', () => {
    const one = limited();
    expect(
      first(
        one,
        [1, 2, 3, 4].map((n) => [token(n), {}]),
      ),
    ).toEqual(['in', 'in', 'in', 'group']);
    expect(
      first(
        one,
        [5, 6, 7].map((n) => [token(n, `g${n}`), {}]),
      ),
    ).toEqual(['in', 'in', 'payers']);
    expect(one.takeAll()).toBe(4);
  });

  it('many tokens share the bucket of their address, in whatever group; other addresses go on (X6)', () => {
    const client = 'eve';
    expect(
      first(
        limited(),
        [1, 2, 3].map((n) => [token(n, `g${n}`), { client }]),
      ),
    ).toEqual(['in', 'in', 'address']);
    expect(
      first(
        limited(),
        ['a', 'b', 'c'].map((name, n) => [token(n), { client: name }]),
      ),
    ).toEqual(['in', 'in', 'in']);
  });

  it('many tokens start few payments with one token and from one address, and read on (X6, X8)', () => {
    const one = limited();
    const starts = 'payment';
    expect(first(one, [[token(1), { starts }]])).toEqual(['in']);
    one.clock.ms += 2_000;
    expect(first(one, [[token(1), { starts }]])).toEqual(['session_payment']);
    expect(first(one, [[token(1), {}]])).toEqual(['in']);
    const other = limited();
    const client = 'eve';
    const payments = [1, 2, 3].map((n) => {
      other.clock.ms += 2_000;
      return first(other, [[token(n, `g${n}`), { starts, client }]])[0];
    });
    expect(payments).toEqual(['in', 'in', 'address_payment']);
  });
});

describe('one bucket per merchant and mode (Q11)', () => {
  it('a merchant gets a burst at once, then its rate; unused requests add up to a burst and no more (Q11)', () => {
    const { clock, takeAll } = limited();
    expect(takeAll()).toBe(4);
    clock.ms += 1_000;
    expect(takeAll()).toBe(2);
    clock.ms += 3_600_000;
    expect(takeAll()).toBe(4);
  });

  it('another merchant, and the other mode, have buckets of their own (Q11)', () => {
    const { takeAll } = limited();
    takeAll();
    expect(takeAll(false, caller({ merchantId: 'm2' }))).toBe(4);
    expect(takeAll(false, caller({ mode: 'live' }))).toBe(20);
  });

  it('creates have a bucket of their own and draw from the common one, too (Q11)', () => {
    const { takeAll } = limited();
    expect(takeAll(true)).toBe(2);
    expect(takeAll(false)).toBe(2);
  });

  it('a refused create takes nothing from the common bucket', () => {
    const { take, takeAll } = limited();
    takeAll(true);
    for (let n = 0; n < 50; n++)
      expect(take(caller(), { starts: 'group_payment' })).toMatchObject({ isAllowed: false, kind: 'create' });
    expect(takeAll(false)).toBe(2);
  });

  it('a bucket returns the requests left, the time until it is full and the time until the next request is admitted (Q11)', () => {
    const { clock, take } = limited();
    const allowances = [1, 2, 3, 4, 5].map(() => take(caller(), {}));
    expect(allowances.map(({ remaining }) => remaining)).toEqual([3, 2, 1, 0, 0]);
    expect(allowances[3]).toMatchObject({ kind: 'test', limit: 4, resetSeconds: 2, retrySeconds: 0 });
    expect(allowances[4]).toMatchObject({ isAllowed: false, resetSeconds: 2, retrySeconds: 0.5 });
    clock.ms += 499;
    expect(take(caller(), {}).isAllowed).toBe(false);
    clock.ms += 1;
    expect(take(caller(), {}).isAllowed).toBe(true);
  });

  it('no stretch of time has more than a burst and what the rate gives in it (Q11)', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(gaps, (waits) => {
        const { clock, take } = limited();
        const admitted = waits.flatMap((wait) => {
          clock.ms += wait;
          return take(caller(), {}).isAllowed ? [clock.ms] : [];
        });
        admitted.forEach((from, first) =>
          admitted.slice(first).forEach((until, more) => {
            expect(more + 1).toBeLessThanOrEqual(4 + ((until - from) / 1_000) * 2 + 1e-6);
          }),
        );
      }),
    );
  });
});

describe('among replicas', () => {
  it('a request that one replica admitted is taken from the buckets of the others', () => {
    const [a, b] = [limited(), limited()];
    a.takeAll();
    b.subtract(a.collect());
    expect(b.takeAll()).toBe(0);
    expect(a.collect()).toEqual([]);
  });

  it('at one moment R replicas admit R bursts, and repay that until the rate holds again', () => {
    const [a, b, c] = [limited(), limited(), limited()];
    const all = [a, b, c];
    expect(all.map((replica) => replica.takeAll())).toEqual([4, 4, 4]);
    const exchange = () => {
      const reports = all.map((replica) => replica.collect());
      all.forEach((replica, at) => reports.forEach((spent, from) => from !== at && replica.subtract(spent)));
    };
    exchange();
    let admitted = 12;
    for (let second = 0; second < 600; second++) {
      for (const replica of all) replica.clock.ms += 1_000;
      for (const replica of all) {
        admitted += replica.takeAll();
        exchange();
      }
    }
    // 600 seconds at 2 a second and one burst: the same as with one replica.
    expect(admitted).toBeLessThanOrEqual(600 * 2 + 4);
    expect(admitted).toBeGreaterThanOrEqual(600 * 2 - 4);
  });

  it('notes that name no bucket of ours change nothing', () => {
    const { subtract, takeAll } = limited();
    subtract([
      ['__proto__ m1', 5],
      ['constructor', 5],
      ['', 5],
    ]);
    expect(takeAll()).toBe(4);
  });
});

it('many keys cost no memory beyond a bound: the bucket touched longest ago is forgotten', () => {
  const { take, takeAll } = limited();
  takeAll();
  for (let n = 0; n < 20_000; n++) take(caller({ merchantId: `many${n}` }), {});
  expect(takeAll()).toBe(4);
});
