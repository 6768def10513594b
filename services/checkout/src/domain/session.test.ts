import { describe, expect, it } from '@jest/globals';
import { lifetimeSeconds, chooseScope } from './session.ts';

const now = 1_000_000;
const group = (o: object = {}) => ({ isCollecting: true, expiresAtMs: now + 600_000, ...o });

describe('a new session token (Q6)', () => {
  it('a new session token always reads, and pays and confirms while the group is collecting (Q6)', () => {
    expect(chooseScope(group(), now)).toEqual(['read', 'pay', 'confirm']);
    expect(chooseScope(group({ isCollecting: false }), now)).toEqual(['read']);
  });

  it('a session token only reads from the very instant the group expires, even when nothing has recorded it (Q6)', () => {
    expect(chooseScope(group({ expiresAtMs: now + 1 }), now)).toContain('pay');
    expect(chooseScope(group({ expiresAtMs: now }), now)).toEqual(['read']);
  });

  it('a session token lives half an hour by default, and never beyond half an hour after the time to pay (Q6)', () => {
    expect(lifetimeSeconds(group(), undefined, now)).toBe(1_800);
    expect(lifetimeSeconds(group(), 60, now)).toBe(60);
    expect(lifetimeSeconds(group(), 3_600, now)).toBe(600 + 1_800);
    expect(lifetimeSeconds(group({ expiresAtMs: now + 1 }), 3_600, now)).toBe(1_800);
  });

  it('a session token for a group that ended long ago lives as long as requested: it only reads (Q6)', () => {
    expect(lifetimeSeconds(group({ isCollecting: false, expiresAtMs: 0 }), 3_600, now)).toBe(3_600);
    expect(lifetimeSeconds(group({ isCollecting: false }), undefined, now)).toBe(1_800);
  });
});
