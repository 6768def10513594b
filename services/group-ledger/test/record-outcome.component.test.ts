import { describe, expect, it } from '@jest/globals';
import type { Outcome } from '@gp/contracts';
import { uuidv7 } from 'uuidv7';
import { answerTo, authorised, declined, failure, listOrders } from './gateway.ts';
import { heldGroup, paidGroup } from './groups.ts';
import { settleAll, dueTimer, reserveRequest, scope, useLedger } from './harness.ts';

const ledger = useLedger();

async function reservation(email = 'a@example.com', slotCount = 1) {
  const { group, slots } = await ledger.newGroup();
  const wanted = slots.slice(0, slotCount).map((slot) => slot.id);
  return { group, slots, reserved: await ledger.reserve(reserveRequest(group.id, email, wanted)) };
}

describe('a hold', () => {
  it('a hold takes all slots of its payment, and publishes the merchant’s events', async () => {
    const { group, reserved } = await reservation('a@example.com', 2);
    expect(await ledger.record(authorised(reserved))).toMatchObject({
      verdict: 'applied',
      intent: { state: 'preauthorised' },
      group_state: 'partially_preauthorised',
    });
    expect(await ledger.listMessages(group.id, 'evt.%')).toEqual([
      expect.objectContaining({
        type: 'payment_intent.preauthorised',
        sequence: 1,
        data: {
          payment_intent_id: reserved.intent.id,
          group_payment_id: group.id,
          state: 'preauthorised',
          is_test_mode: true,
          sequence: 1,
          occurred_at: expect.any(String),
          psp_code: 'gateway_a',
          amount: 20,
          currency: 'EUR',
          slot_ids: reserved.intent.slot_ids,
          merchant_order_id: group.merchant_order_id,
          client_reference: null,
          metadata: {},
        },
      }),
    ]);
  });

  it('a hold received twice by both of its ways, in two processes at once, counts once (F1, B3)', async () => {
    const other = await ledger.replica();
    for (let round = 0; round < 20; round++) {
      const { group, reserved } = await reservation();
      const outcome = authorised(reserved);
      const verdicts = await Promise.all(
        Array.from({ length: 6 }, (_, n) => (n % 2 ? other : ledger).record(outcome)),
      );
      expect(verdicts.filter(({ verdict }) => verdict === 'applied')).toHaveLength(1);
      expect(new Set(verdicts.map(({ intent }) => intent.state))).toEqual(new Set(['preauthorised']));
      expect(await ledger.listMessages(group.id, 'evt.%')).toHaveLength(1);
      expect(await ledger.count('inbox where message_id = $1', [outcome.message_id])).toBe(1);
    }
  });

  it('a hold repeated under another id changes nothing', async () => {
    const { reserved } = await reservation();
    await ledger.record(authorised(reserved));
    expect(await ledger.record(authorised(reserved))).toMatchObject({ verdict: 'ignored' });
  });

  it('a hold whose slot was taken meanwhile is released (A8)', async () => {
    const { group, reserved } = await reservation();
    await ledger.record(declined(reserved));
    await ledger.reserve(reserveRequest(group.id, 'b@example.com', reserved.intent.slot_ids));
    const { intent } = await ledger.record(authorised(reserved));
    expect(intent).toMatchObject({ state: 'failed', failure: { code: 'slot_no_longer_available' } });
    expect(await listOrders(ledger, group.id, 'void')).toHaveLength(1);
  });

  it('a hold whose slot is free again takes it back (A8)', async () => {
    const { reserved } = await reservation();
    await ledger.record(declined(reserved));
    expect((await ledger.record(authorised(reserved))).intent.state).toBe('preauthorised');
  });

  it('a hold of another amount is released and opens an operator task (B9)', async () => {
    const { group, reserved } = await reservation();
    const { intent } = await ledger.record(authorised(reserved, { amount_minor: '999' }));
    expect(intent).toMatchObject({ state: 'failed', failure: { code: 'amount_mismatch' } });
    expect(
      await ledger.count('operator_tasks where group_id = $1 and code = $2', [group.id, 'amount_mismatch']),
    ).toBe(1);
  });
});

it('a late decline cannot undo a hold', async () => {
  const { group, reserved } = await reservation();
  await ledger.record(authorised(reserved));
  expect(await ledger.record(declined(reserved))).toMatchObject({
    verdict: 'ignored',
    intent: { state: 'preauthorised' },
  });
  expect(await ledger.readState(group.id)).toBe('partially_preauthorised');
});

it('a hold in another currency is released, its slots are free and an operator task is open (B5)', async () => {
  const { group, reserved } = await reservation();
  expect(await ledger.record(authorised(reserved, { currency: 'USD' }))).toMatchObject({
    verdict: 'applied',
    intent: { state: 'failed', failure: { code: 'amount_mismatch' } },
    group_state: 'open',
  });
  const [order] = await listOrders(ledger, group.id, 'void');
  expect(order).toMatchObject({ amount_minor: reserved.intent.amount_minor, currency: 'EUR' });
  await ledger.record(answerTo(order!, 'gateway_a', 'voided'));
  expect(
    await ledger.count(`operator_tasks where group_id = $1 and code = 'amount_mismatch'`, [group.id]),
  ).toBe(1);
});

describe('an outcome that cannot be', () => {
  it.each([
    ['another gateway’s', { psp_code: 'gateway_b' as const }],
    ['a hold without its amount', { amount_minor: null }],
    ['without its attempt', { attempt_id: null }],
    ['with a status of another operation', { status: 'refunded' as const }],
    ['with text that cannot be stored', { psp_reference: 'pi_\u0000' }],
  ])('the impossible outcome %s is refused and changes nothing', async (_what, fault) => {
    const { group, reserved } = await reservation();
    await expect(ledger.record(authorised(reserved, fault))).rejects.toMatchObject({
      code: 'validation_error',
    });
    expect(await ledger.readState(group.id)).toBe('open');
    expect(await ledger.count('inbox where consumer = $1', ['ledger-outcomes'])).toBe(
      await ledger.count('inbox'),
    );
  });

  it.each([
    { merchant_id: 'm2' },
    { mode: 'live' as const },
    { attempt_id: uuidv7() },
    { intent_id: uuidv7() },
  ])('an outcome of an unknown payment is a 404: %j (B5, S9)', async (fault) => {
    const { reserved } = await reservation();
    await expect(ledger.record(authorised(reserved, fault))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('an impossible outcome is judged again when it is repeated, although the group’s expiry was found on the way', async () => {
    const { group, reserved } = await reservation();
    await ledger.passExpiry(group.id);
    const stray = authorised(reserved, { attempt_id: uuidv7() });
    for (const _again of [1, 2])
      await expect(ledger.record(stray)).rejects.toMatchObject({ code: 'not_found' });
    expect(await ledger.readState(group.id)).toBe('expired');
  });
});

describe('the gateway’s own books', () => {
  it('a refund made at the gateway is recorded once, whole or in part, and so is its bounce (E8)', async () => {
    const { id, payers } = await paidGroup(ledger);
    const [part, whole] = payers;
    const external = (reserved: (typeof payers)[number], amount_minor: string) =>
      authorised(reserved, {
        operation: 'refund',
        operation_id: null,
        status: 'refunded',
        source: 'external',
        amount_minor,
      });
    const partly = external(part!, '400');
    await ledger.record(partly);
    expect(await ledger.record(partly)).toMatchObject({ verdict: 'ignored' });
    expect(await ledger.readState(id)).toBe('paid');
    const wholly = external(whole!, '1000');
    await ledger.record(wholly);
    expect(await ledger.listMessages(id, 'evt.ledger.payment\\_intent.refunded.%')).toMatchObject([
      { data: { refund_id: wholly.message_id, payment_intent_id: whole!.intent.id } },
    ]);
    expect(await ledger.readState(id)).toBe('partially_refunded');
    expect(
      await ledger.rows('select amount_refunded from intents where group_id = $1 order by id', [id]),
    ).toEqual([{ amount_refunded: 400n }, { amount_refunded: 1000n }, { amount_refunded: 0n }]);
    for (const told of [external(part!, '150'), external(whole!, '1000')])
      await ledger.record({ ...told, status: 'failed', failure });
    expect(
      await ledger.rows('select amount_refunded from intents where group_id = $1 order by id', [id]),
    ).toEqual([{ amount_refunded: 250n }, { amount_refunded: 0n }, { amount_refunded: 0n }]);
    expect(await ledger.readState(id)).toBe('refund_failed');
  });

  it('a refund or dispute of a charge beside the one that counts books nothing and opens an operator task (E8, E9)', async () => {
    const { id, payers } = await paidGroup(ledger);
    const beside = (o: Partial<Outcome>) =>
      ledger.record(
        authorised(payers[0]!, { attempt_id: uuidv7(), operation_id: null, source: 'external', ...o }),
      );
    expect((await beside({ operation: 'refund', status: 'refunded' })).intent.state).toBe('captured');
    await beside({ operation: 'dispute', status: 'disputed', failure });
    expect(await ledger.readState(id)).toBe('paid');
    const untouched = 'intents where group_id = $1 and amount_refunded = 0 and not disputed';
    expect(await ledger.count(untouched, [id])).toBe(payers.length);
    expect(await ledger.count('operator_tasks where group_id = $1', [id])).toBe(2);
  });

  it('a capture made at the gateway while payers are missing captures nothing else (C6)', async () => {
    const { id, payers } = await heldGroup(ledger, { except: 1 });
    const external = authorised(payers[0]!, {
      operation: 'capture',
      operation_id: null,
      status: 'captured',
      source: 'external',
    });
    expect((await ledger.record(external)).intent.state).toBe('captured');
    expect(await ledger.readState(id)).toBe('partially_preauthorised');
    expect(await listOrders(ledger, id, 'capture')).toEqual([]);
    expect(await ledger.count('operator_tasks where group_id = $1', [id])).toBe(1);
  });

  it('a reversed capture leads down from paid, and a dispute stops refunds (D6, E9)', async () => {
    const { id, payers } = await paidGroup(ledger);
    const external = (n: number, operation: 'capture' | 'dispute', status: 'failed' | 'disputed') =>
      ledger.record(
        authorised(payers[n]!, { operation, operation_id: null, status, source: 'external', failure }),
      );
    await external(0, 'capture', 'failed');
    expect(await ledger.readState(id)).toBe('partially_paid');
    await external(1, 'dispute', 'disputed');
    expect(await ledger.count('intents where group_id = $1 and disputed', [id])).toBe(1);
  });

  it('a hold released at the gateway frees its slots (C4)', async () => {
    const { id, payers } = await heldGroup(ledger, { except: 1 });
    const lapsed = authorised(payers[0]!, {
      operation: 'void',
      operation_id: null,
      status: 'voided',
      source: 'external',
    });
    expect((await ledger.record(lapsed)).intent.state).toBe('failed');
    expect((await ledger.find({ ...scope, group_id: id })).slots.map((slot) => slot.state)).toEqual([
      'unassigned',
      'preauthorised',
      'unassigned',
    ]);
  });
});

it('a void that found a hold to keep makes the hold count and ends its retry timer (A7)', async () => {
  const { group, reserved } = await reservation();
  await ledger.db.pool.query(
    `update slots set reserved_until = now() - interval '1 s' where intent_id = $1`,
    [reserved.intent.id],
  );
  await ledger.fire(...dueTimer('reservation', group.id, { intentId: reserved.intent.id }));
  const [order] = await listOrders(ledger, group.id, 'void');
  expect(order).toMatchObject({ unless_authorised: true });
  const spared = answerTo(order!, 'gateway_a', 'spared');
  expect((await ledger.record(spared)).intent.state).toBe('preauthorised');
});

it('outcomes of thirty payers at once, in two processes, all count', async () => {
  const replicas = [ledger, await ledger.replica()];
  const { group, slots } = await ledger.newGroup({
    total_minor: '30000',
    distribution: { type: 'equally', number_of_slots: 30 },
  });
  const payers = [];
  for (const slot of slots)
    payers.push(
      await ledger.reserve(reserveRequest(group.id, `p${slot.sequence_no}@example.com`, [slot.id])),
    );
  const { codes } = await settleAll(payers.map((payer, n) => replicas[n % 2]!.record(authorised(payer))));
  expect(codes).toEqual([]);
  expect(await ledger.readState(group.id)).toBe('capturing');
  expect(await listOrders(ledger, group.id, 'capture')).toHaveLength(30);
});
