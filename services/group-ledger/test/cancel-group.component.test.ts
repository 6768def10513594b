import { expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { answerTo, listOrders } from './gateway.ts';
import { heldGroup, paidGroup } from './groups.ts';
import { digest, scope, useLedger } from './harness.ts';

const ledger = useLedger();
let number = 0;
const request = (group_id: string) => ({
  ...scope,
  command_id: digest(`cancel ${number++}`),
  fingerprint: digest('cancel'),
  group_id,
  actor: 'dashboard:kim',
});

it('a cancelled group charges no payer, and shows when each slot ended (Q2)', async () => {
  const { id } = await heldGroup(ledger, { except: 1 });
  const before = await ledger.find({ ...scope, group_id: id });
  const shown = await ledger.cancel(request(id));
  expect(shown.group.state).toBe('cancelled');
  expect(shown.slots.map((slot) => slot.state)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  expect(await listOrders(ledger, id, 'void')).toHaveLength(2);
  for (const [n, slot] of shown.slots.entries())
    expect(slot.updated_at >= before.slots[n]!.updated_at).toBe(true);
  expect(shown.slots[2]!.updated_at).toBe(shown.group.updated_at);
  expect(
    await ledger.rows(
      `select actor, command_id is not null as known from transitions where group_id = $1 and state_to = 'cancelled' limit 1`,
      [id],
    ),
  ).toEqual([{ actor: 'dashboard:kim', known: true }]);
});

it('a capture or refund that the merchant makes at the gateway during the release is booked and announced (C8)', async () => {
  const { id } = await heldGroup(ledger, { except: 1 });
  await ledger.cancel(request(id));
  const [first, second] = await listOrders(ledger, id, 'void');
  const outside = { source: 'external', operation_id: null } as const;
  const capture = answerTo(first!, 'gateway_a', 'captured', { ...outside, operation: 'capture' });
  const refund = answerTo(first!, 'gateway_a', 'refunded', { ...outside, operation: 'refund' });
  await expect(ledger.record(refund)).rejects.toMatchObject({ code: 'conflict' });
  await ledger.record(capture);
  await ledger.record(refund);
  await ledger.record(answerTo(second!, 'gateway_a', 'captured'));
  await ledger.record({ ...capture, message_id: uuidv7() });
  const intents =
    'select state, amount_captured, amount_refunded from intents where group_id = $1 order by state';
  expect(await ledger.rows(intents, [id])).toEqual([
    { state: 'captured', amount_captured: 1_000n, amount_refunded: 0n },
    { state: 'refunded', amount_captured: 1_000n, amount_refunded: 1_000n },
  ]);
  const events = 'select type from events where group_id = $1 order by sequence offset 2';
  expect((await ledger.rows<{ type: string }>(events, [id])).map(({ type }) => type)).toEqual([
    'group_payment.cancelled',
    'payment_intent.captured',
    'payment_intent.refunded',
    'payment_intent.captured',
  ]);
  expect(await ledger.readState(id)).toBe('cancelled');
});

it('cancelling again changes nothing, not even the time of the last change', async () => {
  const { group } = await ledger.newGroup();
  const asked = request(group.id);
  const first = await ledger.cancel(asked);
  expect(await ledger.cancel(asked)).toEqual(first);
  expect(await ledger.cancel(request(group.id))).toEqual(first);
  await expect(ledger.cancel({ ...asked, fingerprint: digest('x') })).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  });
});

it('a group that is capturing, paid or expired cannot be cancelled (C7, R7)', async () => {
  const capturing = await heldGroup(ledger);
  const paid = await paidGroup(ledger);
  const { group } = await ledger.newGroup();
  await ledger.passExpiry(group.id);
  await expect(ledger.cancel(request(capturing.id))).rejects.toMatchObject({ code: 'group_not_payable' });
  await expect(ledger.cancel(request(paid.id))).rejects.toMatchObject({ code: 'group_not_payable' });
  await expect(ledger.cancel(request(group.id))).rejects.toMatchObject({ code: 'group_expired' });
  expect(await listOrders(ledger, paid.id, 'void')).toEqual([]);
});
