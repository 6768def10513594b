import { describe, expect, it } from '@jest/globals';
import { duration, Scenario } from '../../../test/scenario.ts';

const { minute, hour, day } = duration;
const second = 1_000;

describe('authorising', () => {
  it('an unknown authorization stays unknown: the slot stays taken and no second one begins (B1)', () => {
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

  it('an authorization is queried after 5 and 15 seconds, 1, 5, 15 and 30 minutes, then hourly, and opens an operator task after a day (B1)', () => {
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

  it('an authorization whose outcome does not arrive is queried by the ledger itself (B2)', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1]);
    const authorizationId = group.begins(intent);
    expect(group.timer(`query:${authorizationId}`)).toBe(group.nowMs + minute);
    group
      .passes(minute)
      .accepts({ type: 'authorisationQueryDue', intentId: intent, authorizationId, step: 0 });
    expect(group.operations('query', intent)).toHaveLength(1);
  });

  it('a repeated outcome changes nothing (B3)', () => {
    const group = new Scenario();
    const intent = group.holds('ann', [1]);
    expect(group.authorises(intent)).toEqual({ kind: 'ignored', reason: 'hold_already_known' });
    expect(group.events).toHaveLength(1);
  });

  it('a late decline, absence or timeout cannot undo a hold (B4)', () => {
    const group = new Scenario();
    const intent = group.holds('ann', [1]);
    expect(group.declines(intent).kind).toBe('ignored');
    expect(group.authorisationIs('absent', intent).kind).toBe('ignored');
    expect(group.authorisationIs('unknown', intent).kind).toBe('ignored');
    expect(group.intent(intent).state).toBe('preauthorised');
  });

  it('an authorization that was never begun is not_found (B4)', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1], 'gateway_a');
    expect(group.authorises(intent, 'foreign')).toEqual({ kind: 'rejected', code: 'not_found' });
  });

  it('a hold that arrives after the group expired is voided, and the payment records why it failed (B7)', () => {
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

  it('a decline releases the slots at once, and a further confirm takes them again (B8)', () => {
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

  it('a further confirm is refused when another payer took one of the slots (B8)', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1, 2]);
    group.begins(intent);
    group.declines(intent);
    group.reserves('bob', [2]);
    expect(group.does({ type: 'beginAuthorisation', intentId: intent })).toEqual({
      kind: 'rejected',
      code: 'slot_no_longer_available',
      details: [{ param: 'payment_intent_id', reason: 'is no longer available', slot_id: group.slotId(2) }],
    });
  });

  it('an intent accepts five declines and no sixth authorization (B8)', () => {
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

  it('a hold of another amount than requested is a failure and is voided (B9)', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1]);
    group.begins(intent);
    group.authorises(intent, group.newestAuthorizationId(intent), 999n);
    expect(group.intent(intent)).toMatchObject({ state: 'failed', failure: { code: 'amount_mismatch' } });
    expect(group.lastOperation('void', intent).amountMinor).toBe(999n);
    expect(group.slotStates[0]).toBe('unassigned');
    expect(group.alerts).toContain('amount_mismatch');
  });

  it('an intent has one hold for its sum, and its slots move together (B10)', () => {
    const group = new Scenario({ slots: [1n, 2n, 3n] });
    const intent = group.reserves('ann', [1, 3]);
    expect(group.intent(intent).amountMinor).toBe(4n);
    group.begins(intent);
    group.authorises(intent);
    expect(group.slotStates).toEqual(['preauthorised', 'unassigned', 'preauthorised']);
  });

  it('a complete group with a disconnected account stays preauthorised until the account is connected again (B11)', () => {
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

  it('a complete group with a disconnected account can expire (B11)', () => {
    const group = new Scenario();
    group.revoked.add('gateway_c/1');
    const intent = group.reserves('ann', undefined, 'gateway_a');
    group.revoked.add('gateway_a/1');
    group.authorises(intent);
    group.passes(day).accepts({ type: 'expire' });
    expect(group.history).toEqual(['open', 'preauthorised', 'expired']);
  });

  it('a second hold of an intent that is held already is voided, without any event (R3)', () => {
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

  it('a confirm is answered with the hold, or with the authorization in flight', () => {
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

  it('a confirm of another gateway, of an expired group or of an unknown intent is refused', () => {
    const group = new Scenario();
    const other = group.reserves('ann', [1], 'gateway_a');
    const intent = group.reserves('bob', [2]);
    const confirm = (intentId: string) => group.does({ type: 'beginAuthorisation', intentId });
    expect(confirm(other)).toMatchObject({ code: 'confirm_not_supported' });
    expect(confirm('nobody')).toMatchObject({ code: 'not_found' });
    group.passes(day);
    expect(confirm(intent)).toMatchObject({ kind: 'accepted', refusal: { code: 'group_expired' } });
  });

  it('a confirm of a replaced intent or of a cancelled group is refused', () => {
    const group = new Scenario();
    const replaced = group.reserves('ann', [1]);
    group.reserves('ann', [1, 2]);
    const confirm = { type: 'beginAuthorisation', intentId: replaced } as const;
    expect(group.does(confirm)).toMatchObject({ code: 'slot_no_longer_available' });
    group.accepts({ type: 'cancel' });
    expect(group.does(confirm)).toMatchObject({ code: 'group_not_payable' });
  });
});
