import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  recordAnswer,
  recordFailure,
  computeAllowance,
  newLane,
  readLaneState,
  type Lane,
  type LanePolicy,
} from './lane.ts';

const policy: LanePolicy = { cap: 10, openAfter: 5, pauseMs: 1_000, longestPauseMs: 8_000 };
const fail = (lane: Lane, times: number, nowMs = 0): Lane =>
  Array.from({ length: times }).reduce<Lane>((each) => recordFailure(each, policy, nowMs), lane);
const answer = (lane: Lane, times: number): Lane =>
  Array.from({ length: times }).reduce<Lane>((each) => recordAnswer(each, policy), lane);

describe('a healthy lane', () => {
  it('a healthy lane starts with two requests at a time and reaches its cap after three replies', () => {
    const allowances = [0, 1, 2, 3, 4].map((answers) =>
      computeAllowance(answer(newLane(policy), answers), 0),
    );
    expect(allowances).toEqual([2, 4, 8, 10, 10]);
  });

  it('a healthy lane halves with each failure and stays closed below the threshold', () => {
    const full = answer(newLane(policy), 4);
    expect([1, 2, 3, 4].map((times) => computeAllowance(fail(full, times), 0))).toEqual([5, 2, 1, 1]);
    expect(readLaneState(fail(full, 4), 0)).toBe('closed');
  });

  it('a healthy lane forgets failures with the next reply: only failures in a row open it', () => {
    expect(readLaneState(fail(recordAnswer(fail(newLane(policy), 4), policy), 4), 0)).toBe('closed');
  });
});

describe('an open lane', () => {
  const open = fail(newLane(policy), 5);

  it('an open lane sends nothing until its pause is over, then one probe', () => {
    expect(
      [0, 999, 1_000, 5_000].map((now) => [readLaneState(open, now), computeAllowance(open, now)]),
    ).toEqual([
      ['open', 0],
      ['open', 0],
      ['half_open', 1],
      ['half_open', 1],
    ]);
  });

  it('an open lane is not delayed further by requests that left before it opened', () => {
    expect(fail(open, 9, 500)).toEqual(open);
  });

  it('an open lane pauses twice as long after each failed probe, up to the longest', () => {
    const pauses: number[] = [];
    let lane = open;
    for (let probes = 0; probes < 6; probes += 1) {
      const now = lane.openUntilMs!;
      lane = recordFailure(lane, policy, now);
      pauses.push(lane.openUntilMs! - now);
    }
    expect(pauses).toEqual([2_000, 4_000, 8_000, 8_000, 8_000, 8_000]);
  });

  it('an open lane returns slowly with the first reply', () => {
    const back = recordAnswer(open, policy);
    expect([readLaneState(back, 0), computeAllowance(back, 0), computeAllowance(answer(back, 3), 0)]).toEqual(
      ['closed', 2, 10],
    );
  });
});

it('a lane is always between nothing and its cap, and never shut for longer than the longest pause', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(3_000))), (history) => {
      let now = 0;
      let lane = newLane(policy);
      for (const [isAnswer, pause] of history) {
        now += pause;
        lane = isAnswer ? recordAnswer(lane, policy) : recordFailure(lane, policy, now);
        const allowance = computeAllowance(lane, now);
        expect(allowance >= 0 && allowance <= policy.cap).toBe(true);
        expect((lane.openUntilMs ?? now) - now).toBeLessThanOrEqual(policy.longestPauseMs);
        expect(computeAllowance(lane, now + policy.longestPauseMs)).toBeGreaterThanOrEqual(1);
      }
    }),
  );
});
