import { describe, expect, it } from '@jest/globals';
import { compareBooks, type Booked } from './books.ts';
import { UNADVISED } from './clients.ts';
import { judge } from './judge.ts';
import { summarizeExchanges, type Report } from './report.ts';

describe('what a crowd saw in a drill', () => {
  it('the longest stall is the longest time without a success, from the begin to the end', () => {
    const exchanges = [
      { endedAt: 1_100, ms: 20 },
      { endedAt: 1_900, ms: 700, failure: 'GET / answered 503' },
      { endedAt: 2_500, ms: 40 },
      { endedAt: 2_600, ms: 30 },
    ];
    expect(summarizeExchanges(exchanges, 1_000, 3_000)).toEqual({
      requests: 4,
      failures: ['GET / answered 503'],
      lastFailureAt: Math.round(performance.timeOrigin + 1_900),
      longestStallMs: 1_400,
      slowestMs: 700,
    });
  });

  it('a crowd of which nothing succeeded stalled all the time', () => {
    expect(summarizeExchanges([], 1_000, 6_000)).toMatchObject({ requests: 0, longestStallMs: 5_000 });
  });

  const clean: Report = {
    requests: 100,
    failures: [],
    longestStallMs: 300,
    slowestMs: 400,
    groups: { paid: 3, unpaid: [], slowestMs: 900 },
    webhooks: { missing: [], repeated: 0 },
    contradictions: [],
  };
  const goal = { failures: 1, stallMs: 1_000, afterMendedMs: 500 };
  const none = { fired: [], missing: [], unexpected: [] };

  it('a drill that cost no more than its goal allows missed nothing', () => {
    expect(judge(goal, { ...clean, failures: ['one'], longestStallMs: 1_000 }, {}, none)).toEqual([]);
  });

  it.each<[string, Partial<Report>]>([
    ['failures', { failures: ['one', 'two'] }],
    ['a 503 that does not say when to ask again', { failures: [`GET / answered 503${UNADVISED} {}`] }],
    ['a stall', { longestStallMs: 1_001 }],
    ['a group that was not paid', { groups: { paid: 3, unpaid: ['group 1 was open'], slowestMs: 1 } }],
    ['no group at all', { groups: { paid: 0, unpaid: [], slowestMs: 0 } }],
    ['a webhook that did not come', { webhooks: { missing: ['1'], repeated: 0 } }],
    ['a contradiction', { contradictions: ['payment 1 was captured twice'] }],
  ])('%s beyond the goal is missed', (_, seen) => {
    expect(judge(goal, { ...clean, ...seen }, {}, none)).toHaveLength(1);
  });

  it('requests may fail for as long after the remedy as the goal says, and no longer', () => {
    const late = { ...clean, failures: ['one'], lastFailureAt: 10_000 };
    expect(judge(goal, late, { mendedAt: 9_500 }, none)).toEqual([]);
    expect(judge(goal, late, { mendedAt: 9_499 }, none)).toHaveLength(1);
  });

  it('an alert that did not fire, one that did, and what the drill found itself are missed', () => {
    const alerts = { fired: ['b'], missing: ['a'], unexpected: ['b'] };
    expect(judge(goal, clean, { faults: ['c'] }, alerts)).toEqual([
      'the alert a did not fire',
      'the alert b fired',
      'c',
    ]);
  });
});

describe('the books of the gateways beside the groups of a crowd', () => {
  const group = { id: 'g', payments: ['a', 'b'], state: 'paid', ms: 1 };
  const booked = (payment_intent_id: string, change: Partial<Booked> = {}): Booked => ({
    payment_intent_id,
    status: 'captured',
    captured_minor: 1_000,
    refunded_minor: 0,
    calls: [{ operation: 'capture', outcome: 'ok' }],
    ...change,
  });

  it('a paid group of which each share was captured once agrees', () => {
    expect(compareBooks([group], [booked('a'), booked('b'), booked('of-others')])).toEqual([]);
  });

  it.each<[string, readonly Booked[]]>([
    ['a share that was not captured', [booked('a'), booked('b', { captured_minor: 0 })]],
    ['a share that was given back', [booked('a'), booked('b', { refunded_minor: 1_000 })]],
    ['a payment that the gateway does not know', [booked('a')]],
    [
      'a capture that took effect twice',
      [
        booked('a'),
        booked('b', { calls: Array.from({ length: 2 }, () => ({ operation: 'capture', outcome: 'ok' })) }),
      ],
    ],
    [
      'a hold that was left behind',
      [booked('a'), booked('b'), booked('b', { status: 'authorised', captured_minor: 0 })],
    ],
  ])('%s is a contradiction', (_, books) => {
    expect(compareBooks([group], books)).toHaveLength(1);
  });

  it('a group that is not paid and was charged in full is a contradiction', () => {
    const open = { ...group, state: 'partially_preauthorised' };
    expect(compareBooks([open], [booked('a'), booked('b')])).toHaveLength(1);
    expect(compareBooks([open], [])).toEqual([]);
  });
});
