import { describe, expect, it } from '@jest/globals';
import { answerTo, answerAll, authorised, failure, ordersOf } from './gateway.ts';
import { heldGroup, paidGroup } from './groups.ts';
import { digest, scope, useLedger } from './harness.ts';

const ledger = useLedger();
let number = 0;
const request = (group_id: string, slot_ids?: string[]) => ({
  ...scope,
  command_id: digest(`refund ${number++}`),
  fingerprint: digest('refund'),
  group_id,
  source: 'api' as const,
  ...(slot_ids && { slot_ids }),
});

describe('a refund', () => {
  it('of the whole group has a line for each payment, and ends refunded when all came back', async () => {
    const { id } = await paidGroup(ledger);
    const refund = await ledger.refund(request(id));
    expect(refund).toMatchObject({ group_state: 'refunding', refused: [] });
    expect(refund.lines.map((line) => line.amount_minor)).toEqual(['1000', '1000', '1000']);
    expect((await ordersOf(ledger, id, 'refund')).map((order) => order.operation_id)).toEqual(
      refund.lines.map((line) => line.operation_id),
    );
    await answerAll(ledger, id, 'refund', 'refunded');
    expect(await ledger.stateOf(id)).toBe('refunded');
    expect(await ledger.told(id, 'evt.ledger.payment\\_intent.refunded.%')).toHaveLength(3);
    expect(await ledger.told(id, 'evt.ledger.group\\_payment.refunded.%')).toHaveLength(1);
  });

  it('of some slots refunds the payments that cover them and leaves the rest', async () => {
    const { id, slots } = await paidGroup(ledger);
    const refund = await ledger.refund(request(id, [slots[1]!.id]));
    expect(refund.lines.map((line) => line.slot_ids)).toEqual([[slots[1]!.id]]);
    await answerAll(ledger, id, 'refund', 'refunded');
    expect(await ledger.stateOf(id)).toBe('partially_refunded');
    // Asked again with slots that are refunded already, only the rest is (E10).
    const more = await ledger.refund(request(id, [slots[1]!.id, slots[2]!.id]));
    expect(more.lines.map((line) => line.slot_ids)).toEqual([[slots[2]!.id]]);
    await expect(ledger.refund(request(id, [slots[1]!.id]))).rejects.toMatchObject({
      code: 'nothing_to_refund',
    });
  });

  it('the gateway refuses can be asked for again', async () => {
    const { id } = await paidGroup(ledger, { distribution: { type: 'equally', number_of_slots: 1 } });
    await ledger.refund(request(id));
    const [order] = await ordersOf(ledger, id, 'refund');
    await ledger.record(answerTo(order!, 'gateway_a', 'failed', { failure, amount_minor: null }));
    expect(await ledger.stateOf(id)).toBe('refund_failed');
    await ledger.refund(request(id));
    const again = (await ordersOf(ledger, id, 'refund')).at(-1)!;
    expect(again.seq).toBe(2);
    await ledger.record(answerTo(again, 'gateway_a', 'refunded'));
    expect(await ledger.stateOf(id)).toBe('refunded');
  });

  it('of a disputed payment is refused without asking the gateway, also when it is asked twice (E9)', async () => {
    const { id, payers } = await paidGroup(ledger);
    const disputed = payers[0]!;
    await ledger.record(
      authorised(disputed, {
        operation: 'dispute',
        operation_id: null,
        status: 'disputed',
        source: 'external',
      }),
    );
    const asked = request(id);
    const refund = await ledger.refund(asked);
    expect(refund.refused).toEqual([
      {
        intent_id: disputed.intent.id,
        psp_code: 'gateway_a',
        slot_ids: disputed.intent.slot_ids,
        error: 'payment is disputed',
      },
    ]);
    expect(refund.lines).toHaveLength(2);
    expect(await ledger.refund(asked)).toEqual(refund);
    expect(await ordersOf(ledger, id, 'refund')).toHaveLength(2);
  });
});

describe('a command id', () => {
  it('answers its refund again, as it is now, and sends nothing twice', async () => {
    const { id } = await paidGroup(ledger);
    const asked = request(id);
    const other = await ledger.replica();
    const [first, second] = await Promise.all([ledger.refund(asked), other.refund(asked)]);
    expect(second).toEqual(first);
    await answerAll(ledger, id, 'refund', 'refunded');
    expect(await ledger.refund(asked)).toEqual({ ...first, group_state: 'refunded' });
    expect(await ordersOf(ledger, id, 'refund')).toHaveLength(3);
    await expect(ledger.refund({ ...asked, fingerprint: digest('x') })).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
  });

  it('of a refused refund may be used again when there is something to refund', async () => {
    const { id } = await heldGroup(ledger);
    const asked = request(id);
    await expect(ledger.refund(asked)).rejects.toMatchObject({ code: 'nothing_to_refund' });
    await answerAll(ledger, id, 'capture', 'captured');
    expect((await ledger.refund(asked)).lines).toHaveLength(3);
  });

  it('of a refund that found the group expired is refused each time', async () => {
    const { group } = await ledger.newGroup();
    await ledger.passExpiry(group.id);
    const asked = request(group.id);
    for (const _again of [1, 2])
      await expect(ledger.refund(asked)).rejects.toMatchObject({ code: 'nothing_to_refund' });
    expect(await ledger.stateOf(group.id)).toBe('expired');
  });
});

it('what was not captured, or is not a slot of the group, is not refunded', async () => {
  const { id, slots } = await heldGroup(ledger);
  await expect(ledger.refund(request(id, [slots[0]!.id]))).rejects.toMatchObject({
    code: 'slots_not_captured',
  });
  await expect(ledger.refund(request(id, [crypto.randomUUID()]))).rejects.toMatchObject({
    code: 'invalid_slot_ids',
  });
});
