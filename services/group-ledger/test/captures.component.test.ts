import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PublicEvent } from '@gp/contracts';
import { currentTraceparent, span, startTelemetry } from '@gp/telemetry';
import { answerTo, answerAll, authorised, failure, listOrders } from './gateway.ts';
import { heldGroup, paidGroup } from './groups.ts';
import { dueTimer, reserveRequest, scope, useLedger } from './harness.ts';

const ledger = useLedger();
const listEventTypes = async (id: string) =>
  (await ledger.listMessages<PublicEvent>(id, 'evt.%')).map((event) =>
    event.type.replace('payment_intent.', 'intent.'),
  );

describe('captures', () => {
  it('captures begin in the transaction of the last hold, one for each payment, and at no other time (D1, R7)', async () => {
    const { id } = await heldGroup(ledger);
    const orders = await listOrders(ledger, id, 'capture');
    expect(orders.map((order) => [order.seq, order.amount_minor])).toEqual([
      [1, '1000'],
      [1, '1000'],
      [1, '1000'],
    ]);
    const states = await ledger.rows<{ state_to: string; decided_at: Date }>(
      `select state_to, decided_at from transitions where group_id = $1 and entity = 'group' order by group_version, id`,
      [id],
    );
    expect(states.map((row) => row.state_to)).toEqual([
      'partially_preauthorised',
      'preauthorised',
      'capturing',
    ]);
    expect(states[1]?.decided_at).toEqual(states[2]?.decided_at);
  });

  it('captures begin once when two last holds arrive at once in two processes', async () => {
    const other = await ledger.replica();
    for (let round = 0; round < 20; round++) {
      const { id, slots } = await heldGroup(ledger, { except: 2 });
      const last = [];
      for (const slot of slots.slice(1))
        last.push(await ledger.reserve(reserveRequest(id, `l${slot.sequence_no}@example.com`, [slot.id])));
      await Promise.all([ledger.record(authorised(last[0]!)), other.record(authorised(last[1]!))]);
      expect(await listOrders(ledger, id, 'capture')).toHaveLength(3);
    }
  });

  it('captures that all succeed make the group paid; each event is published once and in order (F3, F6, S10)', async () => {
    const { id } = await paidGroup(ledger);
    await answerAll(ledger, id, 'capture', 'captured');
    expect(await ledger.readState(id)).toBe('paid');
    expect(await listEventTypes(id)).toEqual([
      'intent.preauthorised',
      'intent.preauthorised',
      'intent.preauthorised',
      'intent.captured',
      'group_payment.partially_paid',
      'intent.captured',
      'intent.captured',
      'group_payment.paid',
    ]);
    const events = await ledger.listMessages<PublicEvent>(id, 'evt.%');
    expect(events.map((event) => event.sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(events.at(-1)?.data).toEqual({
      group_payment_id: id,
      state: 'paid',
      sequence: 8,
      is_test_mode: true,
      occurred_at: expect.any(String),
      currency: 'EUR',
      amount_captured: 30,
      amount_refunded: 0,
      client_reference: null,
      merchant_order_id: expect.stringMatching(/^GP-\w{17}$/),
      metadata: {},
    });
  });

  it('a group with a single payment is never partially paid (G7)', async () => {
    const { id } = await paidGroup(ledger, { distribution: { type: 'equally', number_of_slots: 1 } });
    expect(await listEventTypes(id)).toEqual([
      'intent.preauthorised',
      'intent.captured',
      'group_payment.paid',
    ]);
  });

  it('captures reported by both ways at once in two processes book the money once', async () => {
    const other = await ledger.replica();
    const { id } = await heldGroup(ledger);
    for (const order of await listOrders(ledger, id, 'capture')) {
      const outcome = answerTo(order, 'gateway_a', 'captured');
      await Promise.all([ledger.record(outcome), other.record(outcome), ledger.record(outcome)]);
    }
    expect(await ledger.readState(id)).toBe('paid');
    const [booked] = await ledger.rows(
      `select sum(amount_minor) as minor from postings where group_id = $1 and account = 'merchant:captured'`,
      [id],
    );
    expect(booked).toEqual({ minor: '3000' });
  });
});

describe('a capture that does not succeed', () => {
  it('a capture without success is sent again later under a new number, and may still succeed (D2)', async () => {
    const { id } = await heldGroup(ledger);
    const [first] = await listOrders(ledger, id, 'capture');
    await ledger.record(answerTo(first!, 'gateway_a', 'retryable', { amount_minor: null }));
    await ledger.fire(...dueTimer('capture_retry', id, { intentId: first!.intent_id }));
    const again = (await listOrders(ledger, id, 'capture')).at(-1)!;
    expect(again).toMatchObject({ intent_id: first!.intent_id, seq: 2 });
    expect(again.operation_id).not.toBe(first!.operation_id);
    await ledger.record(answerTo(again, 'gateway_a', 'captured'));
    expect(await ledger.readState(id)).toBe('partially_paid');
  });

  it('a capture that fails for good leaves the group partially paid and the others charged (D4)', async () => {
    const { id } = await heldGroup(ledger);
    const orders = await listOrders(ledger, id, 'capture');
    await ledger.record(answerTo(orders[0]!, 'gateway_a', 'failed', { failure, amount_minor: null }));
    for (const order of orders.slice(1)) await ledger.record(answerTo(order, 'gateway_a', 'captured'));
    const shown = await ledger.find({ ...scope, group_id: id });
    expect(shown.group.state).toBe('partially_paid');
    expect(shown.slots.map((slot) => slot.state).toSorted()).toEqual(['cancelled', 'captured', 'captured']);
    expect(await listEventTypes(id)).toContain('intent.failed');
  });
});

describe('timers', () => {
  it('the timers of one decision have each key once, at a growing revision', async () => {
    const { id } = await paidGroup(ledger);
    const instructions = await ledger.timers(id);
    const byKey = Map.groupBy(instructions, (instruction) => instruction.key);
    expect(byKey.size).toBeGreaterThan(5);
    for (const own of byKey.values()) {
      const revisions = own.map((instruction) => instruction.revision);
      expect(revisions).toEqual([...new Set(revisions)].toSorted((a, b) => a - b));
      // A paid group waits for nothing.
      expect(own.at(-1)?.timer).toBeNull();
    }
  });

  it('a timer that fires twice acts once, and a late timer changes nothing', async () => {
    const { id } = await heldGroup(ledger);
    const [order] = await listOrders(ledger, id, 'capture');
    await ledger.record(answerTo(order!, 'gateway_a', 'retryable', { amount_minor: null }));
    const fired = dueTimer('capture_retry', id, { intentId: order!.intent_id });
    await Promise.all([
      ledger.fire(...fired),
      ledger.fire(...fired),
      (await ledger.replica()).fire(...fired),
    ]);
    expect(await listOrders(ledger, id, 'capture')).toHaveLength(4);
    await answerAll(ledger, id, 'capture', 'captured');
    const before = await ledger.count('outbox');
    for (const kind of ['capture_retry', 'reservation', 'hold_lapse', 'refund_retry'])
      await ledger.fire(...dueTimer(kind, id, { intentId: order!.intent_id }));
    await ledger.fire(...dueTimer('group_expiry', id));
    expect(await ledger.count('outbox')).toBe(before);
  });

  it('a timer of an unknown payment is refused', async () => {
    const { group } = await ledger.newGroup();
    await expect(ledger.fire(...dueTimer('tea', group.id))).rejects.toMatchObject({
      code: 'validation_error',
    });
    await expect(ledger.fire(...dueTimer('reservation', group.id))).rejects.toThrow('does not name');
    const [timer, id] = dueTimer('group_expiry', group.id);
    for (const other of [
      { merchant_id: 'm2' },
      { mode: 'live' as const },
      { data: { group_id: crypto.randomUUID() } },
    ])
      await expect(ledger.fire({ ...timer, ...other }, id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('a reservation timer returns the slots when the payer never came (A6)', async () => {
    const merchant = { merchant_id: 'm-ttl' };
    await ledger.note({
      ...scope,
      ...merchant,
      psp_code: 'gateway_b',
      version: 1,
      active: true,
      revoked_at: null,
      revision: 1,
    });
    const { group } = await ledger.newGroup(merchant);
    const { intent } = await ledger.reserve(reserveRequest(group.id, 'a@example.com', undefined, merchant));
    const [timer, id] = dueTimer('reservation', group.id, { intentId: intent.id });
    await ledger.fire({ ...timer, ...merchant }, id);
    expect((await ledger.findIntent({ ...scope, ...merchant, intent_id: intent.id })).state).toBe('created');
    await ledger.db.pool.query(
      `update slots set reserved_until = now() - interval '1 s' where group_id = $1`,
      [group.id],
    );
    await ledger.fire({ ...timer, ...merchant }, crypto.randomUUID());
    expect((await ledger.findIntent({ ...scope, ...merchant, intent_id: intent.id })).state).toBe('failed');
    expect((await ledger.find({ ...scope, ...merchant, group_id: group.id })).slots[0]?.state).toBe(
      'unassigned',
    );
  });
});

describe('the trace', () => {
  let telemetry: Awaited<ReturnType<typeof startTelemetry>>;
  const sampler = { name: 'parentbased_always_on', ratio: 1 } as const;
  beforeAll(async () => (telemetry = await startTelemetry({ service: 'test', sampler })));
  afterAll(() => telemetry.close());

  it('the trace of a payment is the one it began in, whichever request continues it; the audit names the requester’s (Q32)', async () => {
    const { group } = await ledger.newGroup({ distribution: { type: 'equally', number_of_slots: 1 } });
    const begun = await span('pay', { root: true }, async () => ({
      trace: parseTraceId(currentTraceparent()),
      reserved: await ledger.reserve(reserveRequest(group.id, 'a@example.com')),
    }));
    const callback = await span('callback', { root: true }, async () => {
      await ledger.record(authorised(begun.reserved));
      return parseTraceId(currentTraceparent());
    });
    expect(callback).not.toBe(begun.trace);
    const told = await ledger.rows<{ traceparent: string }>(
      `select traceparent from outbox where group_key = $1
         and coalesce(payload ->> 'intent_id', payload -> 'data' ->> 'payment_intent_id') is not null`,
      [group.id],
    );
    expect(told.map((row) => parseTraceId(row.traceparent))).toEqual([begun.trace, begun.trace]);
    const audit = await ledger.rows<{ trace_id: string }>(
      `select trace_id from transitions where group_id = $1 and state_to = 'preauthorised'`,
      [group.id],
    );
    expect(new Set(audit.map((row) => row.trace_id))).toEqual(new Set([callback]));
  });
});

const parseTraceId = (traceparent: string | undefined) => traceparent?.split('-')[1];
