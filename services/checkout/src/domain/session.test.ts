import { describe, expect, it } from '@jest/globals';
import { GROUP_STATES } from '@gp/contracts';
import { lifetimeSeconds, scopeFor } from './session.ts';

const now = 1_000_000;
const group = (o: object = {}) => ({ state: 'open' as const, expiresAtMs: now + 600_000, ...o });

describe('a new session token (Q6)', () => {
  it('pays and confirms while somebody may still pay, in no other state', () => {
    const paying = GROUP_STATES.filter((state) => scopeFor(group({ state }), now).includes('pay'));
    expect(paying).toEqual(['open', 'partially_preauthorised', 'preauthorised']);
  });

  it('always reads, and confirms only what it may pay', () => {
    for (const state of GROUP_STATES) {
      const scope = scopeFor(group({ state }), now);
      expect(scope).toContain('read');
      expect(scope.includes('confirm')).toBe(scope.includes('pay'));
    }
  });

  it('only reads from the very instant the group expires, even when nobody has noticed', () => {
    expect(scopeFor(group({ expiresAtMs: now + 1 }), now)).toContain('pay');
    expect(scopeFor(group({ expiresAtMs: now }), now)).toEqual(['read']);
  });

  it('lives half an hour unless told, and never beyond half an hour after the time to pay', () => {
    expect(lifetimeSeconds(group(), undefined, now)).toBe(1_800);
    expect(lifetimeSeconds(group(), 60, now)).toBe(60);
    expect(lifetimeSeconds(group(), 3_600, now)).toBe(600 + 1_800);
    expect(lifetimeSeconds(group({ expiresAtMs: now + 1 }), 3_600, now)).toBe(1_800);
  });

  it('for a group that ended long ago lives as long as was wanted: it only reads', () => {
    expect(lifetimeSeconds(group({ state: 'expired', expiresAtMs: 0 }), 3_600, now)).toBe(3_600);
    expect(lifetimeSeconds(group({ state: 'paid' }), undefined, now)).toBe(1_800);
  });
});
