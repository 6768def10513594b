import { beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { authorised, declined } from './gateway.ts';
import { settleAll, connection, reserveRequest, scope, useLedger } from './harness.ts';

const ledger = useLedger();
const merchant = { merchant_id: 'm-b' };
beforeAll(() => ledger.note(connection({ ...merchant, psp_code: 'gateway_b', version: 3 })));

async function reservation() {
  const { group } = await ledger.newGroup({ ...merchant, metadata: { sandbox_fault: 'delay' } });
  const reserved = await ledger.reserve(reserveRequest(group.id, 'a@example.com', undefined, merchant));
  const request = { ...scope, ...merchant, intent_id: reserved.intent.id };
  return { group, reserved, begin: (o: object = {}) => ledger.begin({ ...request, ...o }) };
}

type Begun = Awaited<ReturnType<typeof ledger.begin>>;
const outcome = (begun: Begun) => ({ ...authorised(begun), ...merchant });
const decline = (begun: Begun) => ({ ...declined(begun), ...merchant });

describe('a try to authorise', () => {
  it('an authorization exists from confirm on, with everything the adapter needs', async () => {
    const { group, reserved, begin } = await reservation();
    expect(reserved.attempt).toBeNull();
    expect(await begin()).toMatchObject({
      status: 'begun',
      intent: { state: 'processing', credential_version: 3 },
      attempt: { seq: 1 },
      merchant_order_id: group.merchant_order_id,
      sandbox_fault: 'delay',
    });
  });

  it('an intent has one authorization at a time, however many confirms arrive in how many processes (B1, Q13)', async () => {
    const other = await ledger.replica();
    for (let round = 0; round < 10; round++) {
      const { reserved } = await reservation();
      const request = { ...scope, ...merchant, intent_id: reserved.intent.id };
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) => (n % 2 ? other : ledger).begin(request)),
      );
      expect(answers.map((answer) => answer.status).toSorted()).toEqual([
        'begun',
        ...Array.from({ length: 7 }, () => 'in_flight'),
      ]);
      expect(new Set(answers.map((answer) => answer.attempt?.id)).size).toBe(1);
    }
  });

  it('an unknown authorization is never followed by a second one (B1)', async () => {
    const { begin } = await reservation();
    const begun = await begin();
    await ledger.record({ ...outcome(begun), status: 'unknown', amount_minor: null });
    expect(await begin()).toMatchObject({ status: 'unknown', attempt: begun.attempt });
  });

  it('an unknown authorization keeps its slots, and succeeds when the hold is reported in time (R5, B1)', async () => {
    const { group, begin } = await reservation();
    const begun = await begin();
    const unknown = { ...outcome(begun), status: 'unknown' as const, amount_minor: null };
    expect((await ledger.record(unknown)).intent).toMatchObject({ state: 'processing', unknown: true });
    const { slots } = await ledger.find({ ...scope, ...merchant, group_id: group.id });
    expect(slots[0]?.state).toBe('assigned');
    const { intent } = await ledger.record(outcome(begun));
    // The only payment of its group: it is captured at once.
    expect(intent).toMatchObject({ state: 'capture_pending', unknown: false });
  });

  it('a held payment needs no further authorization (Q13)', async () => {
    const { begin } = await reservation();
    await ledger.record(outcome(await begin()));
    expect(await begin()).toMatchObject({ status: 'held' });
  });

  it('an authorization after a decline takes the slots again, or the payer gets the error that they are gone (B8)', async () => {
    const { group, begin } = await reservation();
    await ledger.record(decline(await begin()));
    const second = await begin();
    expect(second).toMatchObject({ status: 'begun', attempt: { seq: 2 } });
    await ledger.record(decline(second));
    await ledger.reserve(reserveRequest(group.id, 'b@example.com', undefined, merchant));
    await expect(begin()).rejects.toMatchObject({ code: 'slot_no_longer_available' });
  });

  it('an authorization is refused after five declines (B8)', async () => {
    const { begin } = await reservation();
    for (let tries = 0; tries < 5; tries++) await ledger.record(decline(await begin()));
    await expect(begin()).rejects.toMatchObject({ code: 'too_many_declines' });
  });
});

describe('refused', () => {
  it('an authorization by a session token of another group is a 404 (A10)', async () => {
    const { group, begin } = await reservation();
    await expect(begin({ within_group_id: uuidv7() })).rejects.toMatchObject({ code: 'not_found' });
    await expect(begin({ merchant_id: 'm2' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(begin({ intent_id: uuidv7() })).rejects.toMatchObject({ code: 'not_found' });
    expect((await begin({ within_group_id: group.id })).status).toBe('begun');
  });

  it('an authorization is refused where the payer authorises at the gateway', async () => {
    const { group } = await ledger.newGroup();
    const { intent } = await ledger.reserve(reserveRequest(group.id, 'a@example.com'));
    await expect(ledger.begin({ ...scope, intent_id: intent.id })).rejects.toMatchObject({
      code: 'confirm_not_supported',
    });
  });

  it('an authorization after the expiry by the database’s clock is refused, and a late hold is released (R8, B7)', async () => {
    const { group, begin } = await reservation();
    const begun = await begin();
    await ledger.passExpiry(group.id);
    const { answers } = await settleAll([ledger.record(outcome(begun))]);
    expect(answers).toMatchObject([
      { intent: { failure: { code: 'group_expired' } }, group_state: 'expired' },
    ]);
    const late = await reservation();
    await ledger.passExpiry(late.group.id);
    await expect(late.begin()).rejects.toMatchObject({ code: 'group_expired' });
    expect(await ledger.readState(late.group.id)).toBe('expired');
  });
});
