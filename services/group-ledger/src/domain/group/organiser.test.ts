import { describe, expect, it } from '@jest/globals';
import type { OrganiserRight } from '@gp/contracts';
import { duration, Scenario, start } from '../../../test/scenario.ts';
import type { Command, Organiser } from '../index.ts';
import { isLatestCut } from './organiser.ts';

const { hour, day } = duration;
const at = (ms: number): string => new Date(start + ms).toISOString();

const organised = (may: readonly OrganiserRight[], latestMs: number | null = null) =>
  new Scenario({ organiser: { may, latestExpiresAtMs: latestMs === null ? null : start + latestMs } });
const extend = (ms: number): Command => ({ type: 'organiserExtend', expiresAtMs: start + ms });
const cancel: Command = { type: 'organiserCancel' };
const refused = (reason: string) => ({
  kind: 'rejected',
  code: 'validation_error',
  param: 'expires_at',
  message: `Validation error: expires_at: ${reason}`,
});

describe('the organiser of a new group', () => {
  const latest = (organiser: Organiser, expiresInMs = day) =>
    new Scenario({ organiser, expiresInMs }).group.organiser?.latestExpiresAtMs;
  const may = ['extend'] as const;

  it('the latest expiry is a day after the first one where the merchant names none, cut to seven days from the creation (Q84)', () => {
    expect(latest({ may, latestExpiresAtMs: null })).toBe(start + 2 * day);
    expect(latest({ may, latestExpiresAtMs: null }, 7 * day - hour)).toBe(start + 7 * day);
    expect(latest({ may, latestExpiresAtMs: start + 7 * day })).toBe(start + 7 * day);
    expect(latest({ may: ['remind', 'cancel'], latestExpiresAtMs: null })).toBeNull();
    expect(new Scenario().group.organiser).toBeNull();
  });

  it.each([
    ['not later than the expiry', may, day, 'must be later than expires_at'],
    ['no instant', may, Number.NaN, 'must be later than expires_at'],
    ['more than seven days ahead', may, 7 * day + 1, 'cannot be more than 7 days in the future'],
    ['without the right to extend', ['cancel'] as const, 2 * day, 'needs the right to extend'],
  ])('a latest expiry that is %s is refused at the creation (Q84)', (_what, rights, ms, reason) => {
    expect(() => latest({ may: rights, latestExpiresAtMs: start + ms })).toThrow(
      `Validation error: organiser.latest_expires_at: ${reason}`,
    );
  });

  it('a latest expiry is cut only where the merchant lets the organiser extend and names none (Q84, R8)', () => {
    const late = { expiresAtMs: start + 6 * day + 1, createdAtMs: start };
    expect(isLatestCut({ may, latestExpiresAtMs: null }, late)).toBe(true);
    expect(isLatestCut({ may, latestExpiresAtMs: null }, { ...late, expiresAtMs: start + 6 * day })).toBe(
      false,
    );
    expect(isLatestCut({ may, latestExpiresAtMs: start + 7 * day }, late)).toBe(false);
    expect(isLatestCut({ may: ['cancel'], latestExpiresAtMs: null }, late)).toBe(false);
  });
});

describe('an extension by the organiser', () => {
  it('an extension moves the expiry and its timer to the latest instant at most, and is announced as an update (Q84)', () => {
    const group = organised(['extend']);
    group.passes(hour).accepts(extend(2 * day));
    expect(group.group).toMatchObject({ state: 'open', expiresAtMs: start + 2 * day });
    expect(group.timer('expiry:group')).toBe(start + 2 * day);
    expect(group.eventTypes).toEqual(['group_payment.updated']);
    const reason = `the merchant allows no later end than ${at(2 * day)}`;
    expect(group.does(extend(2 * day + 1))).toMatchObject(refused(reason));
    expect(group.does({ ...extend(0), expiresAtMs: Number.NaN } as Command)).toMatchObject({
      code: 'validation_error',
    });
  });

  it('an extension reaches no further than the creation allowed, whatever the merchant changed since (Q84)', () => {
    const group = organised(['extend'], 3 * day);
    group.accepts({ type: 'update', expiresAtMs: start + 5 * day, changesNames: true });
    const reason = `the merchant allows no later end than ${at(3 * day)}`;
    expect(group.does(extend(5 * day + 1))).toMatchObject(refused(reason));
    expect(group.group).toMatchObject({
      expiresAtMs: start + 5 * day,
      organiser: { may: ['extend'], latestExpiresAtMs: start + 3 * day },
    });
  });

  it('an extension to an instant that the expiry has reached changes nothing: repeated, and after the merchant went further (Q88)', () => {
    const group = organised(['extend']);
    const ignored = { kind: 'ignored', reason: 'nothing_changes' };
    group.accepts(extend(2 * day));
    expect(group.does(extend(2 * day))).toEqual(ignored);
    group.accepts({ type: 'update', expiresAtMs: start + 4 * day, changesNames: false });
    for (const days of [2, 3, 4]) expect(group.does(extend(days * day))).toEqual(ignored);
    expect(group.group.expiresAtMs).toBe(start + 4 * day);
    expect(group.eventTypes).toHaveLength(2);
  });

  it('a repeated extension is no error after the group has ended either, and performs an expiry that is due (Q88, C2)', () => {
    const cancelled = organised(['extend', 'cancel']);
    cancelled.accepts(extend(2 * day));
    cancelled.accepts(cancel);
    expect(cancelled.does(extend(2 * day))).toEqual({ kind: 'ignored', reason: 'nothing_changes' });
    const late = organised(['extend']);
    late.accepts(extend(2 * day));
    late.nowMs = start + 2 * day;
    expect(late.accepts(extend(2 * day)).next.state).toBe('expired');
  });

  it('an extension from the instant of the expiry on is refused for that, whatever instant it names, and the group is expired (Q84, C2)', () => {
    const group = organised(['extend']);
    group.nowMs = start + day;
    expect(group.does(extend(99 * day))).toMatchObject({
      kind: 'accepted',
      refusal: { code: 'group_expired' },
      next: { state: 'expired', expiresAtMs: start + day },
    });
    expect(group.does(extend(2 * day))).toMatchObject({ kind: 'rejected', code: 'group_expired' });
  });

  it('an extension is refused once a capture was ordered, and after a cancellation (Q84, R7)', () => {
    const capturing = organised(['extend']);
    capturing.holds('ann');
    const cancelled = organised(['extend', 'cancel']);
    cancelled.accepts(cancel);
    for (const group of [capturing, cancelled])
      expect(group.does(extend(2 * day))).toMatchObject({ kind: 'rejected', code: 'group_not_payable' });
  });
});

describe('a cancellation by the organiser', () => {
  it('a cancellation releases every hold and captures none, and a second one changes nothing (Q85)', () => {
    const group = organised(['cancel']);
    const held = group.holds('ann', [1]);
    group.accepts(cancel);
    expect(group.group.state).toBe('cancelled');
    expect(group.operations('void', held)).toHaveLength(1);
    expect(group.operations('capture')).toEqual([]);
    expect(group.does(cancel)).toEqual({ kind: 'ignored', reason: 'already_cancelled' });
  });

  it('a cancellation is refused once the captures began, and from the instant of the expiry on (Q85, R7, C2)', () => {
    const capturing = organised(['cancel']);
    capturing.holds('ann');
    expect(capturing.does(cancel)).toMatchObject({ kind: 'rejected', code: 'group_not_payable' });
    const late = organised(['cancel']);
    late.nowMs = start + day;
    expect(late.does(cancel)).toMatchObject({
      next: { state: 'expired' },
      refusal: { code: 'group_expired' },
    });
  });
});

describe('a right that the creation did not give', () => {
  it('a command without its right is refused with the name of the right, in every state of the group, and changes nothing (Q84)', () => {
    const open = organised(['remind', 'cancel']);
    const paid = organised(['extend']);
    paid.isPaid();
    const without = (right: OrganiserRight) => ({
      kind: 'rejected',
      code: 'insufficient_scope',
      message: `the merchant does not let the organiser of this group payment ${right}`,
    });
    expect(open.does(extend(2 * day))).toEqual(without('extend'));
    expect(open.does(extend(day))).toEqual(without('extend'));
    expect(paid.does(cancel)).toEqual(without('cancel'));
    expect(new Scenario().does(extend(2 * day))).toEqual(without('extend'));
    expect(new Scenario().does(cancel)).toEqual(without('cancel'));
  });
});
