import { describe, expect, it } from '@jest/globals';
import type { CaptureMinimum, PublicEvent } from '@gp/contracts';
import { listGroups } from '../src/app/groups/find-groups.ts';
import { answerAll, authorised, listOrders } from './gateway.ts';
import { heldGroup } from './groups.ts';
import { dueTimer, reserveRequest, scope, useLedger } from './harness.ts';

const ledger = useLedger();
const find = (group_id: string) => ledger.find({ ...scope, group_id });
const expire = async (id: string) => {
  await ledger.passExpiry(id);
  await ledger.fire(...dueTimer('group_expiry', id));
};

describe('a group with a minimum', () => {
  it.each<[string, CaptureMinimum]>([
    ['an amount', { amount_minor: '1001' }],
    ['a number of slots', { slots: 2 }],
  ])('a minimum that is %s is shown by reads and lists as it was set (Q90)', async (_what, minimum) => {
    const { group } = await ledger.newGroup({ capture_minimum: minimum });
    expect(group.capture_minimum).toEqual(minimum);
    expect((await find(group.id)).group).toEqual(group);
    const { groups } = await listGroups(ledger.db)({ ...scope, limit: 100, offset: 0 });
    expect(groups.find(({ id }) => id === group.id)).toEqual(group);
  });

  it('groups of one batch keep their own minimum (Q90)', async () => {
    const minima: (CaptureMinimum | undefined)[] = [{ slots: 1 }, undefined, { amount_minor: '1' }];
    const made = await Promise.all(
      minima.map((minimum) => ledger.newGroup(minimum ? { capture_minimum: minimum } : {})),
    );
    expect(made.map(({ group }) => group.capture_minimum)).toEqual(minima);
  });

  it.each<[CaptureMinimum, string]>([
    [{ amount_minor: '0' }, 'capture_at_expiry.minimum_amount'],
    [{ amount_minor: '999999' }, 'capture_at_expiry.minimum_amount'],
    [{ slots: 4 }, 'capture_at_expiry.minimum_slots'],
  ])('a minimum of %j, which the group cannot have, is refused (Q90)', async (minimum, param) => {
    await expect(ledger.newGroup({ capture_minimum: minimum })).rejects.toMatchObject({
      code: 'validation_error',
      data: { param },
    });
  });

  it('an expiry captures what is held, the other slots expire, and the group is partially paid (Q90)', async () => {
    const { id } = await heldGroup(ledger, { except: 1, capture_minimum: { slots: 2 } });
    await expire(id);
    const shown = await find(id);
    expect(shown.group.state).toBe('capturing');
    expect(shown.facts?.is_settled).toBe(false);
    expect(await listOrders(ledger, id, 'capture')).toHaveLength(2);
    expect(await listOrders(ledger, id, 'void')).toHaveLength(0);
    await answerAll(ledger, id, 'capture', 'captured');
    const paid = await find(id);
    expect([paid.group.state, ...paid.slots.map(({ state }) => state)]).toEqual([
      'partially_paid',
      'captured',
      'captured',
      'expired',
    ]);
    expect(paid.facts?.is_settled).toBe(true);
    const late = ledger.reserve(reserveRequest(id, 'late@example.com'));
    await expect(late).rejects.toMatchObject({ code: 'group_expired' });
  });

  it('such a group publishes its state with the first capture, each other capture, and nothing more (Q90)', async () => {
    const { id } = await heldGroup(ledger, { except: 1, capture_minimum: { slots: 2 } });
    await expire(id);
    await answerAll(ledger, id, 'capture', 'captured');
    const events = await ledger.listMessages<PublicEvent>(id, 'evt.ledger.%payment%');
    const told = events.map(({ type, data }) => [type, data['amount_captured'] ?? data['amount']]);
    expect(told.slice(2)).toEqual([
      ['payment_intent.captured', 10],
      ['group_payment.partially_paid', 10],
      ['payment_intent.captured', 10],
    ]);
  });

  it('an expiry releases everything where too little is held (Q90)', async () => {
    const { id } = await heldGroup(ledger, { except: 2, capture_minimum: { slots: 2 } });
    await expire(id);
    expect(await ledger.readState(id)).toBe('expired');
    expect(await listOrders(ledger, id, 'capture')).toHaveLength(0);
    expect(await listOrders(ledger, id, 'void')).toHaveLength(1);
  });

  it('an expiry that a late hold brings about captures the others and voids that hold (R3, Q90)', async () => {
    const { id, slots } = await heldGroup(ledger, { except: 1, capture_minimum: { slots: 1 } });
    const late = await ledger.reserve(reserveRequest(id, 'late@example.com', [slots[2]!.id]));
    await ledger.passExpiry(id);
    await ledger.record(authorised(late));
    expect(await ledger.readState(id)).toBe('capturing');
    expect(await listOrders(ledger, id, 'capture')).toHaveLength(2);
    expect(await listOrders(ledger, id, 'void')).toHaveLength(1);
  });

  it('the reply to a hold that arrives after such an expiry says that the time ran out (B7, Q90)', async () => {
    const { id, slots } = await heldGroup(ledger, { except: 1, capture_minimum: { slots: 1 } });
    const late = await ledger.reserve(reserveRequest(id, 'late@example.com', [slots[2]!.id]));
    await expire(id);
    expect(await ledger.record(authorised(late))).toMatchObject({
      intent: { failure: null },
      group_state: 'capturing',
      is_group_expired: true,
    });
  });

  it('the timer, a payer and an outcome that meet at the expiry order each capture once (Q90)', async () => {
    const { id, payers } = await heldGroup(ledger, { except: 1, capture_minimum: { slots: 2 } });
    await ledger.passExpiry(id);
    await Promise.allSettled([
      ledger.fire(...dueTimer('group_expiry', id)),
      ledger.fire(...dueTimer('group_expiry', id)),
      ledger.reserve(reserveRequest(id, 'late@example.com')),
      ledger.record(authorised(payers[0]!)),
    ]);
    expect(await ledger.readState(id)).toBe('capturing');
    expect(await listOrders(ledger, id, 'capture')).toHaveLength(2);
  });
});
