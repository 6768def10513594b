import { describe, expect, it } from '@jest/globals';
import type { PublicEvent } from '@gp/contracts';
import { createOperator } from '@gp/testing';
import { uuidv7 } from 'uuidv7';
import { giveUpCaptures } from '../src/app/operator/operate.ts';
import { answerAll, answerTo, authorised, failure, listOrders } from './gateway.ts';
import { heldGroup, paidGroup } from './groups.ts';
import { digest, dueTimer, reserveRequest, scope, useLedger } from './harness.ts';

const ledger = useLedger();
let number = 0;
const command = (group_id: string) => {
  const id = digest(`announcement ${number++}`);
  return { ...scope, group_id, command_id: id, fingerprint: id, actor: 'dashboard:kim' };
};

/** The events of a group that follow its holds, as they are published. */
async function listEvents(id: string): Promise<readonly PublicEvent[]> {
  const events = await ledger.listMessages<PublicEvent>(id, 'evt.ledger.%payment%');
  return events.filter(({ type }) => type !== 'payment_intent.preauthorised');
}

const listTypes = async (id: string) => (await listEvents(id)).map(({ type }) => type);

describe('the end of a group', () => {
  it('the expiry of a group is published once, whatever finds it and however often (F15)', async () => {
    const other = await ledger.replica();
    const { id } = await heldGroup(ledger, { except: 1 });
    await ledger.passExpiry(id);
    const fired = dueTimer('group_expiry', id);
    await Promise.allSettled([
      ledger.fire(...fired),
      other.fire(...fired),
      other.fire(dueTimer('group_expiry', id)[0], crypto.randomUUID()),
      ledger.reserve(reserveRequest(id, 'late@example.com')),
      other.cancel(command(id)),
    ]);
    const [event, ...more] = await listEvents(id);
    expect(more).toEqual([]);
    expect(event).toMatchObject({ type: 'group_payment.expired', group_id: id, sequence: 3 });
    expect(event?.data).toMatchObject({
      group_payment_id: id,
      state: 'expired',
      sequence: 3,
      is_test_mode: true,
      occurred_at: event?.created,
      currency: 'EUR',
      amount_captured: 0,
      amount_refunded: 0,
    });
  });

  it('the cancellation of a group is published once, also when two processes are asked for it at once (F15)', async () => {
    const other = await ledger.replica();
    const { id } = await heldGroup(ledger, { except: 1 });
    const same = command(id);
    await Promise.allSettled([ledger.cancel(same), other.cancel(same), ledger.cancel(command(id))]);
    await ledger.cancel(same);
    expect(await listTypes(id)).toEqual(['group_payment.cancelled']);
  });

  it('each hold that is given back is published as released once, however often the gateway reports it (F16)', async () => {
    const other = await ledger.replica();
    const { id, payers } = await heldGroup(ledger, { except: 1 });
    await ledger.cancel(command(id));
    const orders = await listOrders(ledger, id, 'void');
    for (const order of orders) {
      const outcome = answerTo(order, 'gateway_a', 'voided');
      await Promise.all([
        ledger.record(outcome),
        other.record(outcome),
        other.record({ ...outcome, message_id: uuidv7() }),
      ]);
      await ledger.record({ ...outcome, message_id: uuidv7(), source: 'callback' });
    }
    const released = (await listEvents(id)).filter(({ type }) => type === 'payment_intent.released');
    expect(released.map(({ data }) => [data['payment_intent_id'], data['state'], data['amount']])).toEqual(
      orders.map(({ intent_id }) => [intent_id, 'voided', 10]),
    );
    expect(released).toHaveLength(payers.length);
  });
});

describe('money that did not move', () => {
  it('a group whose captures all failed publishes that once, and its holds as released once an operator gave up (F15, F16)', async () => {
    const { id } = await heldGroup(ledger);
    const orders = await listOrders(ledger, id, 'capture');
    for (const order of [...orders, ...orders])
      await ledger.record(answerTo(order, 'gateway_a', 'failed', { failure, amount_minor: null }));
    const failed = 'payment_intent.failed';
    expect(await listTypes(id)).toEqual([failed, failed, failed, 'group_payment.capture_failed']);
    await giveUpCaptures(ledger.parts)({ group_id: id }, createOperator('kim').person);
    await answerAll(ledger, id, 'void', 'voided');
    const released = 'payment_intent.released';
    expect((await listTypes(id)).slice(4)).toEqual([released, released, released]);
  });

  it('a refund that gives no money back is published once, also when it is requested again under its id (F15)', async () => {
    const { id } = await paidGroup(ledger, { distribution: { type: 'equally', number_of_slots: 1 } });
    const asked = { ...command(id), source: 'api' as const };
    await ledger.refund(asked);
    const [order] = await listOrders(ledger, id, 'refund');
    const outcome = answerTo(order!, 'gateway_a', 'failed', { failure, amount_minor: null });
    for (const message_id of [outcome.message_id, outcome.message_id, uuidv7()])
      await ledger.record({ ...outcome, message_id });
    await ledger.refund(asked);
    const [, , last, ...more] = await listEvents(id);
    expect(more).toEqual([]);
    expect(last).toMatchObject({
      type: 'group_payment.refund_failed',
      data: { state: 'refund_failed', amount_captured: 30, amount_refunded: 0 },
    });
  });
});

it('a dispute and its end are published once each, by whichever way and however often the gateway reports them (F17)', async () => {
  const other = await ledger.replica();
  const { id, payers } = await paidGroup(ledger);
  const about = { operation: 'dispute', operation_id: null, source: 'external' } as const;
  const opened = authorised(payers[0]!, { ...about, status: 'disputed' });
  const again = (): typeof opened => ({ ...opened, message_id: uuidv7() });
  const before = (await listEvents(id)).length;
  await Promise.all([ledger.record(opened), other.record(opened), other.record(again())]);
  await ledger.record(again());
  const disputes = (await listEvents(id)).slice(before);
  expect(disputes).toMatchObject([
    {
      type: 'payment_intent.disputed',
      data: { payment_intent_id: payers[0]!.intent.id, state: 'captured', amount: 10 },
    },
  ]);
  const closed = authorised(payers[0]!, { ...about, status: 'undisputed' });
  await Promise.all([ledger.record(closed), other.record({ ...closed, message_id: uuidv7() })]);
  await ledger.record(again());
  expect((await listEvents(id)).slice(before).map(({ type }) => type)).toEqual([
    'payment_intent.disputed',
    'payment_intent.dispute_closed',
    'payment_intent.disputed',
  ]);
});

it('each event of a group has its order number, its reference and its metadata as they are, and no metadata of its slots (F18)', async () => {
  const metadata = { table: 12, note: { host: 'kim', seats: ['a', 'b'] } };
  const slot_metadata = Array.from({ length: 3 }, () => ({ metadata: { hidden: true } }));
  const distribution = { type: 'equally' as const, number_of_slots: 3, slot_metadata };
  const client_reference = 'order-4711';
  const { id } = await paidGroup(ledger, { metadata, distribution, client_reference });
  await ledger.refund({ ...command(id), source: 'api' });
  await answerAll(ledger, id, 'refund', 'refunded');
  const { group } = await ledger.find({ ...scope, group_id: id });
  const events = await ledger.listMessages<PublicEvent>(id, 'evt.ledger.%payment%');
  const { merchant_order_id } = group;
  expect(merchant_order_id).not.toBe('');
  expect(events.length).toBeGreaterThan(10);
  for (const { data } of events)
    expect(data).toMatchObject({ merchant_order_id, client_reference, metadata });
  expect(JSON.stringify(events)).not.toContain('hidden');
});
