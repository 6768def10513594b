import { describe, expect, it } from '@jest/globals';
import type { PspCode } from '@gp/contracts';
import { becomesActive, hasWaitingKeys, newestOfEach } from './active-gateway.ts';

const version = (pspCode: PspCode, number: number, active = false) => ({
  ...{ pspCode, version: number, active },
  verifiedAt: new Date(0),
});
const unverified = (pspCode: PspCode, number: number) => ({ ...version(pspCode, number), verifiedAt: null });

describe('a connection that was just made', () => {
  it.each([
    ['the first one is active', [], true],
    ['one among inactive ones is active', [version('gateway_b', 1)], true],
    ['another gateway keeps its place', [version('gateway_b', 1, true)], false],
    ['it replaces the active version of its own gateway', [version('gateway_a', 1, true)], true],
    ['entered again it stays active', [version('gateway_a', 2, true)], true],
    ['a newer version keeps its place', [version('gateway_a', 3, true)], false],
    ['a newer version that waits for the gateway does not', [unverified('gateway_a', 3)], true],
    ['a newer version stands before it even where nothing is active', [version('gateway_a', 3)], false],
  ])('a connection that was just made: %s', (_title, connected, expected) => {
    expect(becomesActive(connected, { pspCode: 'gateway_a', version: 2 })).toBe(expected);
  });
});

it('the newest of several versions of a gateway is shown, whatever their order', () => {
  const all = [version('gateway_a', 2, true), version('gateway_b', 1), version('gateway_a', 10)];
  expect(newestOfEach(all)).toEqual([version('gateway_a', 10), version('gateway_b', 1)]);
});

it('newer keys that wait for the gateway leave the confirmed ones in use (B15)', () => {
  const used = version('gateway_a', 2, true);
  const all = [unverified('gateway_a', 1), used, unverified('gateway_a', 3), unverified('gateway_b', 1)];
  expect(newestOfEach(all)).toEqual([used, unverified('gateway_b', 1)]);
  expect([hasWaitingKeys(all, used), hasWaitingKeys(all.slice(0, 2), used)]).toEqual([true, false]);
});
