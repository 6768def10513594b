import { describe, expect, it } from '@jest/globals';
import { describeGroup } from '../src/app/groups/describe-group.ts';
import { answerTo, answerAll, authorised, failure, listOrders } from './gateway.ts';
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
  it('a refund of the whole group has a line for each payment, and ends refunded when all were returned', async () => {
    const { id } = await paidGroup(ledger);
    const refund = await ledger.refund(request(id));
    expect(refund).toMatchObject({ group_state: 'refunding', is_settled: false });
    expect(refund.parts.map((part) => [part.amount_minor, part.status, part.error])).toEqual(
      Array.from({ length: 3 }, () => ['1000', 'started', null]),
    );
    expect((await listOrders(ledger, id, 'refund')).map((order) => order.intent_id)).toEqual(
      refund.parts.map((part) => part.intent_id),
    );
    await answerAll(ledger, id, 'refund', 'refunded');
    expect(await ledger.readState(id)).toBe('refunded');
    expect(await ledger.listMessages(id, 'evt.ledger.payment\\_intent.refunded.%')).toHaveLength(3);
    expect(await ledger.listMessages(id, 'evt.ledger.group\\_payment.refunded.%')).toHaveLength(1);
  });

  it('a refund is logged with the member who asked for it, and with its source where nobody is named', async () => {
    for (const actor of ['dashboard:ana@shop.example', undefined]) {
      const { id } = await paidGroup(ledger);
      await ledger.refund({ ...request(id), ...(actor !== undefined && { actor }) });
      const { transitions } = await describeGroup(ledger.db)({ ...scope, group_id: id });
      const begun = transitions.filter(({ state_to }) => state_to === 'refunding');
      expect(begun.map((one) => one.actor)).toEqual([actor ?? 'api']);
    }
  });

  it('a refund of some slots refunds the payments that cover them and leaves the rest', async () => {
    const { id, slots } = await paidGroup(ledger);
    const refund = await ledger.refund(request(id, [slots[1]!.id]));
    expect(refund.parts.map((part) => part.slot_ids)).toEqual([[slots[1]!.id]]);
    await answerAll(ledger, id, 'refund', 'refunded');
    expect(await ledger.readState(id)).toBe('partially_refunded');
    // Asked again with slots that are refunded already, only the rest is (E10).
    const more = await ledger.refund(request(id, [slots[1]!.id, slots[2]!.id]));
    expect(more.parts.map((part) => part.slot_ids)).toEqual([[slots[2]!.id]]);
    await expect(ledger.refund(request(id, [slots[1]!.id]))).rejects.toMatchObject({
      code: 'nothing_to_refund',
    });
  });

  it('a refund that the gateway refuses can be requested again', async () => {
    const { id } = await paidGroup(ledger, { distribution: { type: 'equally', number_of_slots: 1 } });
    await ledger.refund(request(id));
    const [order] = await listOrders(ledger, id, 'refund');
    await ledger.record(answerTo(order!, 'gateway_a', 'failed', { failure, amount_minor: null }));
    expect(await ledger.readState(id)).toBe('refund_failed');
    await ledger.refund(request(id));
    const again = (await listOrders(ledger, id, 'refund')).at(-1)!;
    expect(again.seq).toBe(2);
    await ledger.record(answerTo(again, 'gateway_a', 'refunded'));
    expect(await ledger.readState(id)).toBe('refunded');
  });

  it('a refund in flight fails when the scheme reverses the capture, and its late outcome is ignored (D6)', async () => {
    const { id, payers } = await paidGroup(ledger);
    await ledger.refund(request(id));
    const taken = payers[0]!;
    const reversal = { operation: 'capture', operation_id: null, status: 'failed', failure } as const;
    await ledger.record(authorised(taken, { ...reversal, source: 'external' }));
    const orders = await listOrders(ledger, id, 'refund');
    const order = orders.find(({ intent_id }) => intent_id === taken.intent.id)!;
    const answer = answerTo(order, 'gateway_a', 'failed', { failure, amount_minor: null });
    expect(await ledger.record(answer)).toMatchObject({
      verdict: 'ignored',
      intent: { state: 'capture_failed' },
    });
    const booked = `postings where intent_id = $1 and account = 'merchant:captured' having sum(amount_minor) = 0`;
    expect(await ledger.count(booked, [taken.intent.id])).toBeGreaterThan(0);
    await answerAll(ledger, id, 'refund', 'refunded');
    expect(await ledger.listMessages(id, 'evt.ledger.payment\\_intent.refunded.%')).toHaveLength(2);
  });

  it('a refund of a disputed payment is refused without a call to the gateway, also when it is repeated (E9)', async () => {
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
    expect(refund.parts.filter(({ status }) => status === 'failed')).toEqual([
      {
        intent_id: disputed.intent.id,
        psp_code: 'gateway_a',
        slot_ids: disputed.intent.slot_ids,
        amount_minor: '1000',
        status: 'failed',
        error: 'payment is disputed',
        error_code: 'payment_disputed',
      },
    ]);
    expect(refund.parts.filter(({ status }) => status === 'started')).toHaveLength(2);
    expect(await ledger.refund(asked)).toEqual(refund);
    expect(await listOrders(ledger, id, 'refund')).toHaveLength(2);
  });
});

describe('a command id', () => {
  it('a command id returns its refund again, as it is now, and sends nothing twice', async () => {
    const { id } = await paidGroup(ledger);
    const asked = request(id);
    const other = await ledger.replica();
    const [first, second] = await Promise.all([ledger.refund(asked), other.refund(asked)]);
    expect(second).toEqual(first);
    await answerAll(ledger, id, 'refund', 'refunded');
    const later = await ledger.refund(asked);
    expect(later).toMatchObject({ refund_id: first.refund_id, group_state: 'refunded', is_settled: true });
    expect(await listOrders(ledger, id, 'refund')).toHaveLength(3);
    await expect(ledger.refund({ ...asked, fingerprint: digest('x') })).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
  });

  it('a command id of a refused refund may be used again when there is something to refund', async () => {
    const { id } = await heldGroup(ledger);
    const asked = request(id);
    await expect(ledger.refund(asked)).rejects.toMatchObject({ code: 'nothing_to_refund' });
    await answerAll(ledger, id, 'capture', 'captured');
    expect((await ledger.refund(asked)).parts).toHaveLength(3);
  });

  it('a command id of a refund that found the group expired is refused each time', async () => {
    const { group } = await ledger.newGroup();
    await ledger.passExpiry(group.id);
    const asked = request(group.id);
    for (const _again of [1, 2])
      await expect(ledger.refund(asked)).rejects.toMatchObject({ code: 'nothing_to_refund' });
    expect(await ledger.readState(group.id)).toBe('expired');
  });
});

it('a slot that was not captured, or is not of the group, is not refunded', async () => {
  const { id, slots } = await heldGroup(ledger);
  await expect(ledger.refund(request(id, [slots[0]!.id]))).rejects.toMatchObject({
    code: 'slots_not_captured',
  });
  await expect(ledger.refund(request(id, [crypto.randomUUID()]))).rejects.toMatchObject({
    code: 'invalid_slot_ids',
  });
});

describe('who follows a refund', () => {
  const progress = 'evt.ledger.refund.progressed.%';

  it('a follower of a refund gets each change of it with its version, and nothing else', async () => {
    const { id, payers } = await paidGroup(ledger);
    const refund = await ledger.refund(request(id));
    const [first, second, third] = await listOrders(ledger, id, 'refund');
    await ledger.record(answerTo(first!, 'gateway_a', 'refunded'));
    await ledger.record(answerTo(second!, 'gateway_a', 'unknown', { amount_minor: null }));
    await ledger.record(answerTo(second!, 'gateway_a', 'unknown', { amount_minor: null }));
    await ledger.record(authorised(payers[0]!));
    await ledger.record(answerTo(third!, 'gateway_a', 'failed', { failure, amount_minor: null }));
    await ledger.record(answerTo(second!, 'gateway_a', 'refunded', { source: 'query' }));
    const told = await ledger.listMessages<typeof refund>(id, progress);
    expect(told.map(({ parts }) => parts.map(({ status }) => status))).toEqual([
      ['started', 'started', 'started'],
      ['refunded', 'started', 'started'],
      ['refunded', 'unknown', 'started'],
      ['refunded', 'unknown', 'failed'],
      ['refunded', 'refunded', 'failed'],
    ]);
    expect(told[0]).toEqual(refund);
    const versions = told.map(({ version }) => version);
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
    expect(told.map(({ is_settled }) => is_settled)).toEqual([false, false, false, false, true]);
    expect(told.at(-1)).toMatchObject({
      group_state: 'partially_refunded',
      parts: [{}, {}, { error: failure.message }],
    });
    const { refund_id } = refund;
    expect(await ledger.findRefund({ ...scope, group_id: id, refund_id })).toEqual(told.at(-1));
  });

  it('a follower of a refund gets the state the group would have if all unknown outcomes had no effect (E5)', async () => {
    const { id } = await paidGroup(ledger);
    const refund = await ledger.refund(request(id));
    expect(refund.state_otherwise).toBe('refund_failed');
    const [first, second, third] = await listOrders(ledger, id, 'refund');
    await ledger.record(answerTo(first!, 'gateway_a', 'refunded'));
    await ledger.record(answerTo(second!, 'gateway_a', 'refunded'));
    const asked = { ...scope, group_id: id, refund_id: refund.refund_id };
    expect(await ledger.findRefund(asked)).toMatchObject({
      group_state: 'refunding',
      state_otherwise: 'partially_refunded',
    });
    await ledger.record(answerTo(third!, 'gateway_a', 'refunded'));
    expect(await ledger.findRefund(asked)).toMatchObject({ state_otherwise: 'refunded', is_settled: true });
  });

  it('a follower of a refund does not wait for another refund of the group', async () => {
    const { id, slots } = await paidGroup(ledger);
    await ledger.refund(request(id, [slots[0]!.id]));
    const mine = await ledger.refund(request(id, [slots[1]!.id]));
    const order = (await listOrders(ledger, id, 'refund')).at(-1)!;
    await ledger.record(answerTo(order, 'gateway_a', 'refunded'));
    expect(await ledger.findRefund({ ...scope, group_id: id, refund_id: mine.refund_id })).toMatchObject({
      group_state: 'refunding',
      is_settled: true,
      state_otherwise: 'partially_refunded',
    });
  });

  it('a follower of a refund waits for a capture that the refund of everything stopped, and sees it refunded with the rest (E1)', async () => {
    const { id } = await heldGroup(ledger);
    const [first, second, third] = await listOrders(ledger, id, 'capture');
    await ledger.record(answerTo(first!, 'gateway_a', 'captured'));
    await ledger.record(answerTo(second!, 'gateway_a', 'retryable', { amount_minor: null }));
    const refund = await ledger.refund(request(id));
    expect(refund.parts.map(({ intent_id }) => intent_id)).toEqual([first!.intent_id]);
    await answerAll(ledger, id, 'refund', 'refunded');
    const asked = { ...scope, group_id: id, refund_id: refund.refund_id };
    expect(await ledger.findRefund(asked)).toMatchObject({ is_settled: false, state_otherwise: 'refunded' });
    await ledger.record(answerTo(third!, 'gateway_a', 'captured'));
    await answerAll(ledger, id, 'refund', 'refunded');
    const done = await ledger.findRefund(asked);
    expect(done).toMatchObject({ is_settled: true, group_state: 'refunded' });
    expect(done.parts.map(({ intent_id, status }) => [intent_id, status])).toEqual([
      [first!.intent_id, 'refunded'],
      [third!.intent_id, 'refunded'],
    ]);
  });

  it('a follower of a refund gets a later reversal (E6), and nothing of refunds made elsewhere (E8)', async () => {
    const { id, payers } = await paidGroup(ledger);
    const elsewhere = authorised(payers[0]!, {
      operation: 'refund',
      operation_id: null,
      status: 'refunded',
      source: 'external',
    });
    await ledger.record(elsewhere);
    expect(await ledger.listMessages(id, progress)).toEqual([]);
    await ledger.refund(request(id));
    await answerAll(ledger, id, 'refund', 'refunded');
    expect(await ledger.readState(id)).toBe('refunded');
    await ledger.record({
      ...elsewhere,
      ...answerTo((await listOrders(ledger, id, 'refund'))[0]!, 'gateway_a', 'failed', {
        failure,
        source: 'external',
        operation_id: null,
        amount_minor: null,
      }),
    });
    expect(await ledger.readState(id)).toBe('partially_refunded');
    const told = await ledger.listMessages<{ parts: { status: string }[] }>(id, progress);
    expect(told.at(-1)?.parts.map(({ status }) => status)).toEqual(['reversed', 'refunded']);
  });

  it('a follower of a refund of another merchant, mode or group finds nothing', async () => {
    const { id } = await paidGroup(ledger);
    const { refund_id } = await ledger.refund(request(id));
    const mine = { ...scope, group_id: id, refund_id };
    for (const foreign of [
      { merchant_id: 'm2' },
      { mode: 'live' as const },
      { refund_id: crypto.randomUUID() },
    ])
      await expect(ledger.findRefund({ ...mine, ...foreign })).rejects.toMatchObject({ code: 'not_found' });
  });
});
