import { describe, expect, it } from '@jest/globals';
import { duration, Scenario } from '../../../test/scenario.ts';

const { minute, hour, day } = duration;
const second = 1_000;

describe('authorising', () => {
  it('B1 keeps an unknown outcome unknown: the slot stays taken and no second try begins', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1]);
    group.begins(intent);
    group.authorisationIs('unknown', intent);
    expect(group.intent(intent)).toMatchObject({ state: 'processing', unknown: true });
    expect(group.slotStates[0]).toBe('assigned');
    const again = group.does({ type: 'beginAuthorisation', intentId: intent });
    expect(again).toMatchObject({ kind: 'ignored', reply: { status: 'unknown' } });
    expect(group.intent(intent).authorizations).toHaveLength(1);
    group.authorises(intent);
    expect(group.intent(intent)).toMatchObject({ state: 'preauthorised', unknown: false });
  });

  it('queries after 5 and 15 seconds, 1, 5, 15 and 30 minutes, then every hour, and opens an operator task after a day (B1)', () => {
    const group = new Scenario({ expiresInMs: 7 * day });
    const intent = group.reserves('ann', [1]);
    const authorizationId = group.begins(intent);
    group.authorisationIs('unknown', intent);
    const delays: number[] = [];
    let step = 0;
    while (group.nowMs < group.intent(intent).createdAtMs + 7 * day) {
      const dueAtMs = group.timer(`query:${authorizationId}`);
      if (dueAtMs === undefined) break;
      delays.push(dueAtMs - group.nowMs);
      group.nowMs = dueAtMs;
      group.accepts({ type: 'authorisationQueryDue', intentId: intent, authorizationId, step: step++ });
    }
    const firsts = [5 * second, 15 * second, minute, 5 * minute, 15 * minute, 30 * minute, hour, hour];
    expect(delays.slice(0, 8)).toEqual(firsts);
    expect(group.operations('query', intent)).toHaveLength(delays.length);
    expect(group.alerts).toContain('authorisation_unresolved');
  });

  it('queries by itself when no outcome of a try arrives (B2)', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1]);
    const authorizationId = group.begins(intent);
    expect(group.timer(`query:${authorizationId}`)).toBe(group.nowMs + minute);
    group
      .passes(minute)
      .accepts({ type: 'authorisationQueryDue', intentId: intent, authorizationId, step: 0 });
    expect(group.operations('query', intent)).toHaveLength(1);
  });

  it('does nothing for a repeated outcome (B3)', () => {
    const group = new Scenario();
    const intent = group.holds('ann', [1]);
    expect(group.authorises(intent)).toEqual({ kind: 'ignored', reason: 'hold_already_known' });
    expect(group.events).toHaveLength(1);
  });

  it('B4 ignores a late decline, absence or timeout: they cannot undo a hold', () => {
    const group = new Scenario();
    const intent = group.holds('ann', [1]);
    expect(group.declines(intent).kind).toBe('ignored');
    expect(group.authorisationIs('absent', intent).kind).toBe('ignored');
    expect(group.authorisationIs('unknown', intent).kind).toBe('ignored');
    expect(group.intent(intent).state).toBe('preauthorised');
  });

  it('B4 answers not_found to attempts that were never begun', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1], 'gateway_a');
    expect(group.authorises(intent, 'foreign')).toEqual({ kind: 'rejected', code: 'not_found' });
  });

  it('B7 voids a hold that arrives after the group expired, and says why the payment failed', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1]);
    group.begins(intent);
    group.passes(day).accepts({ type: 'expire' });
    expect(group.intent(intent).state).toBe('processing');
    group.authorises(intent);
    expect(group.operations('void', intent)).toHaveLength(1);
    expect(group.intent(intent)).toMatchObject({ state: 'failed', failure: { code: 'group_expired' } });
    expect(group.slotStates).toEqual(['expired', 'expired']);
  });

  it('B8 releases the slots at once after a decline, and a further confirm takes them again', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1, 2]);
    group.begins(intent);
    group.declines(intent);
    expect(group.slotStates).toEqual(['unassigned', 'unassigned']);
    expect(group.events.at(-1)).toMatchObject({
      type: 'payment_intent.failed',
      data: { state: 'failed', failure: { stage: 'authorise', code: 'card_declined' } },
    });
    group.begins(intent);
    expect(group.slotStates).toEqual(['assigned', 'assigned']);
    expect(group.intent(intent).authorizations.map(({ seq, state }) => [seq, state])).toEqual([
      [1, 'declined'],
      [2, 'started'],
    ]);
  });

  it('B8 refuses a further confirm when another payer took one of the slots', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1, 2]);
    group.begins(intent);
    group.declines(intent);
    group.reserves('bob', [2]);
    expect(group.does({ type: 'beginAuthorisation', intentId: intent })).toEqual({
      kind: 'rejected',
      code: 'slot_no_longer_available',
      details: [group.slotId(2)],
    });
  });

  it('B8 allows five declines and no sixth try', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1]);
    for (let count = 0; count < 5; count += 1) {
      group.begins(intent);
      group.declines(intent);
    }
    expect(group.does({ type: 'beginAuthorisation', intentId: intent })).toMatchObject({
      code: 'too_many_declines',
    });
  });

  it('B9 treats another amount than asked for as a failure and voids it', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1]);
    group.begins(intent);
    group.authorises(intent, group.newestAuthorizationId(intent), 999n);
    expect(group.intent(intent)).toMatchObject({ state: 'failed', failure: { code: 'amount_mismatch' } });
    expect(group.lastOperation('void', intent).amountMinor).toBe(999n);
    expect(group.slotStates[0]).toBe('unassigned');
    expect(group.alerts).toContain('amount_mismatch');
  });

  it('B10 places one hold for the sum of an intent, and moves its slots together', () => {
    const group = new Scenario({ slots: [1n, 2n, 3n] });
    const intent = group.reserves('ann', [1, 3]);
    expect(group.intent(intent).amountMinor).toBe(4n);
    group.begins(intent);
    group.authorises(intent);
    expect(group.slotStates).toEqual(['preauthorised', 'unassigned', 'preauthorised']);
  });

  it('B11 leaves a complete group with a disconnected account preauthorised until it is connected again', () => {
    const group = new Scenario();
    group.holds('ann', [1]);
    const last = group.reserves('bob', [2]);
    group.begins(last);
    group.revoked.add('gateway_b/1');
    group.authorises(last);
    expect(group.group.state).toBe('preauthorised');
    expect(group.alerts).toEqual(['credentials_revoked']);
    expect(group.operations('capture')).toEqual([]);
    group.revoked.clear();
    group.accepts({ type: 'recheckCredentials' });
    expect(group.group.state).toBe('capturing');
    expect(group.does({ type: 'recheckCredentials' }).kind).toBe('ignored');
  });

  it('B11 lets a complete group with a disconnected account expire', () => {
    const group = new Scenario();
    group.revoked.add('gateway_c/1');
    const intent = group.reserves('ann', undefined, 'gateway_a');
    group.revoked.add('gateway_a/1');
    group.authorises(intent);
    group.passes(day).accepts({ type: 'expire' });
    expect(group.history).toEqual(['open', 'preauthorised', 'expired']);
  });

  it('R3 voids a second hold of an intent that is held already, without any event', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1]);
    const first = group.begins(intent);
    group.authorisationIs('absent', intent);
    group.begins(intent);
    group.authorises(intent);
    const events = group.events.length;
    group.authorises(intent, first);
    expect(group.intent(intent)).toMatchObject({ state: 'preauthorised' });
    expect(group.lastOperation('void', intent).authorizationId).toBe(first);
    expect(group.events).toHaveLength(events);
  });

  it('answers a confirm that the payment is held, or that a try is on its way', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1]);
    const authorizationId = group.begins(intent);
    const confirm = { type: 'beginAuthorisation', intentId: intent } as const;
    expect(group.does(confirm)).toMatchObject({
      kind: 'ignored',
      reply: { status: 'in_flight', authorizationId },
    });
    group.authorises(intent);
    expect(group.does(confirm)).toMatchObject({
      kind: 'ignored',
      reply: { status: 'held', authorizationId },
    });
  });

  it('refuses a confirm of other gateways, of expired groups and of unknown intents', () => {
    const group = new Scenario();
    const other = group.reserves('ann', [1], 'gateway_a');
    const intent = group.reserves('bob', [2]);
    const confirm = (intentId: string) => group.does({ type: 'beginAuthorisation', intentId });
    expect(confirm(other)).toMatchObject({ code: 'confirm_not_supported' });
    expect(confirm('nobody')).toMatchObject({ code: 'not_found' });
    group.passes(day);
    expect(confirm(intent)).toMatchObject({ kind: 'accepted', refusal: { code: 'group_expired' } });
  });

  it('refuses a confirm of a replaced intent and of a cancelled group', () => {
    const group = new Scenario();
    const replaced = group.reserves('ann', [1]);
    group.reserves('ann', [1, 2]);
    const confirm = { type: 'beginAuthorisation', intentId: replaced } as const;
    expect(group.does(confirm)).toMatchObject({ code: 'slot_no_longer_available' });
    group.accepts({ type: 'cancel' });
    expect(group.does(confirm)).toMatchObject({ code: 'group_not_payable' });
  });
});
