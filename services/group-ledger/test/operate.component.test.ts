import { describe, expect, it } from '@jest/globals';
import { createOperator } from '@gp/testing';
import { uuidv7 } from 'uuidv7';
import { inspectGroup } from '../src/app/operator/inspect-group.ts';
import { forgetCustomer } from '../src/app/operator/forget-customer.ts';
import {
  askGateway,
  cancelGroupAsOperator,
  giveUpCaptures,
  retryCaptures,
} from '../src/app/operator/operate.ts';
import { answerAll, answerTo, failure, listOrders } from './gateway.ts';
import { heldGroup, paidGroup } from './groups.ts';
import { reserveRequest, useLedger } from './harness.ts';

const ledger = useLedger();
const { person: ann } = createOperator('ann', 'act');
const actor = ann.name;
const operator_key = ann.key;

/** A group of three whose captures were all refused for good. */
async function refusedGroup() {
  const group = await heldGroup(ledger);
  for (const order of await listOrders(ledger, group.id, 'capture'))
    await ledger.record(answerTo(order, 'gateway_a', 'failed', { failure }));
  expect(await ledger.readState(group.id)).toBe('capture_failed');
  return group;
}
const listActions = (subject: string) =>
  ledger.rows('select actor, operator_key, action from operator_actions where subject = $1 order by id', [
    subject,
  ]);
const listActors = async (groupId: string) =>
  (
    await ledger.rows<{ actor: string }>('select distinct actor from transitions where group_id = $1', [
      groupId,
    ])
  ).map((row) => row.actor);

describe('an operator', () => {
  it('an operator has captures tried again that failed for good, and they may succeed (D5, Q3)', async () => {
    const { id } = await refusedGroup();
    const retried = await retryCaptures(ledger.parts)({ group_id: id }, ann);
    expect(retried).toEqual({ group_id: id, group_state: 'capturing' });
    await answerAll(ledger, id, 'capture', 'captured');
    expect(await ledger.readState(id)).toBe('paid');
    expect(await listActors(id)).toContain('operator:ann');
    expect(await listActions(id)).toEqual([{ actor, operator_key, action: 'captures.retry' }]);
  });

  it('an operator gives captures up, and the holds are released (D5)', async () => {
    const { id } = await refusedGroup();
    await giveUpCaptures(ledger.parts)({ group_id: id }, ann);
    expect(await listOrders(ledger, id, 'void')).toHaveLength(3);
    await answerAll(ledger, id, 'void', 'voided');
    expect(await ledger.readState(id)).toBe('capture_failed');
    const again = retryCaptures(ledger.parts)({ group_id: id }, ann);
    await expect(again).rejects.toMatchObject({ code: 'conflict' });
    expect(await listActions(id)).toEqual([
      { actor, operator_key, action: 'captures.give-up' },
      { actor, operator_key, action: 'captures.retry' },
    ]);
  });

  it('an operator cancels a group that still collects, not one that was captured; both tries are recorded (Q2, Q66)', async () => {
    const { group } = await ledger.newGroup();
    const cancel = (id: string) => cancelGroupAsOperator(ledger.parts)({ group_id: id }, ann);
    expect(await cancel(group.id)).toEqual({ group_id: group.id, group_state: 'cancelled' });
    expect(await listActors(group.id)).toContain('operator:ann');
    const { id } = await paidGroup(ledger);
    await expect(cancel(id)).rejects.toMatchObject({ code: 'group_not_payable' });
    const recorded = [{ actor, operator_key, action: 'group.cancel' }];
    expect([await listActions(group.id), await listActions(id)]).toEqual([recorded, recorded]);
  });

  it('an operator cannot retry or give up what did not fail', async () => {
    const { id } = await paidGroup(ledger);
    for (const act of [retryCaptures, giveUpCaptures])
      await expect(act(ledger.parts)({ group_id: id }, ann)).rejects.toMatchObject({ code: 'conflict' });
    expect(await ledger.readState(id)).toBe('paid');
  });

  it('an operator has the gateway queried about a payment now, whatever its state', async () => {
    const { id, payers } = await paidGroup(ledger);
    const intent_id = payers[0]?.intent.id ?? '';
    expect(await askGateway(ledger.parts)({ intent_id }, ann)).toEqual({ group_id: id, attempts: 1 });
    expect(await listOrders(ledger, id, 'query')).toMatchObject([{ intent_id }]);
    expect(await ledger.readState(id)).toBe('paid');
    const unknown = askGateway(ledger.parts)({ intent_id: uuidv7() }, ann);
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
  });

  it('an operator erases a payer: address and name are gone, the payments stay, and the payer may return (Q31)', async () => {
    const email = 'forget.me@example.com';
    const { group, slots } = await ledger.newGroup();
    const take = (index: number, o: Partial<ReturnType<typeof reserveRequest>> = {}) =>
      ledger.reserve(reserveRequest(group.id, email, [slots[index]?.id ?? ''], o));
    const { intent } = await take(0, { customer_name: 'Forget Me' });
    const { merchant_id, mode } = group;
    const forget = (who = merchant_id, written = ' Forget.Me@example.com ') =>
      forgetCustomer(ledger.parts)({ merchant_id: who, mode, email: written }, ann);
    await expect(forget('somebody_else')).rejects.toMatchObject({ code: 'not_found' });

    expect(await forget()).toEqual({ customer_id: intent.customer_id });
    expect(
      await ledger.rows('select email, name from customers where id = $1', [intent.customer_id]),
    ).toEqual([{ email: `${intent.customer_id}@erased.invalid`, name: null }]);
    expect(await ledger.count(`customers where email = '${email}' or name = 'Forget Me'`)).toBe(0);
    expect(await listActions(intent.customer_id)).toEqual([{ actor, operator_key, action: 'payers.forget' }]);
    const shown = await inspectGroup(ledger.db)({ group_id: group.id });
    expect(JSON.stringify(shown)).toContain(intent.customer_id);
    expect(JSON.stringify(shown)).not.toMatch(/forget/i);
    await expect(forget()).rejects.toMatchObject({ code: 'not_found' });

    expect((await take(1)).intent.customer_id).not.toBe(intent.customer_id);
  });

  it('an operator sees everything there is about a group, but not the token of its page', async () => {
    const { id } = await paidGroup(ledger);
    const whole = await inspectGroup(ledger.db)({ group_id: id });
    const counts = Object.entries(whole).flatMap(([name, rows]) =>
      Array.isArray(rows) ? [[name, rows.length]] : [],
    );
    expect(Object.fromEntries(counts)).toMatchObject({
      slots: 3,
      intents: 3,
      attempts: 3,
      orders: 3,
      postings: 12,
      tasks: 0,
    });
    expect(whole.group).toMatchObject({ id, state: 'paid' });
    expect(JSON.stringify(whole)).not.toContain('page_token');
    await expect(inspectGroup(ledger.db)({ group_id: uuidv7() })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
