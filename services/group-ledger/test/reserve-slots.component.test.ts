import { describe, expect, it } from '@jest/globals';
import { AppError } from '@gp/errors';
import { authorised, declined, failure } from './gateway.ts';
import { settleAll, connection, digest, reserveRequest, scope, useLedger } from './harness.ts';

const ledger = useLedger();

describe('slots that are taken', () => {
  it('a reservation belongs to its payer, at the frozen account, for its time', async () => {
    const { group, slots } = await ledger.newGroup();
    const wanted = slots.slice(0, 2).map((slot) => slot.id);
    const reserved = await ledger.reserve(
      reserveRequest(group.id, ' Ann@Example.com ', wanted, { customer_name: 'Ann' }),
    );
    expect(reserved).toMatchObject({
      intent: { state: 'created', amount_minor: '2000', psp_code: 'gateway_a', credential_version: 1 },
      attempt: { seq: 1, psp_reference: null },
      group_name: 'Dinner',
      merchant_order_id: group.merchant_order_id,
      replayed: false,
    });
    const shown = await ledger.find({ ...scope, group_id: group.id });
    expect(shown.slots.map((slot) => [slot.state, slot.assigned_customer_id, slot.reserved_until])).toEqual([
      ['assigned', reserved.intent.customer_id, reserved.reserved_until],
      ['assigned', reserved.intent.customer_id, reserved.reserved_until],
      ['unassigned', null, null],
    ]);
    expect(await ledger.rows('select email, name, merchant_id, mode from customers')).toEqual([
      { email: 'ann@example.com', name: 'Ann', merchant_id: 'm1', mode: 'test' },
    ]);
  });

  it('a slot that one payer has reserved gives another payer a 409 (A1), and keeps the rest of the requested set free (A2)', async () => {
    const { group, slots } = await ledger.newGroup();
    const [one, two, three] = slots.map((slot) => slot.id);
    await ledger.reserve(reserveRequest(group.id, 'a@example.com', [one!, two!]));
    await expect(
      ledger.reserve(reserveRequest(group.id, 'b@example.com', [two!, three!])),
    ).rejects.toMatchObject({
      code: 'no_payable_slots',
      data: { details: [{ param: 'slot_ids', slot_id: two }] },
    });
    expect((await ledger.find({ ...scope, group_id: group.id })).slots[2]?.state).toBe('unassigned');
  });

  it('a reservation without named slots gets all free ones, and the loser gets what is left or 409 (A3)', async () => {
    const { group, slots } = await ledger.newGroup();
    await ledger.reserve(reserveRequest(group.id, 'a@example.com', [slots[0]!.id]));
    const rest = await ledger.reserve(reserveRequest(group.id, 'b@example.com'));
    expect(rest.intent.slot_ids).toEqual([slots[1]!.id, slots[2]!.id]);
    await expect(ledger.reserve(reserveRequest(group.id, 'c@example.com'))).rejects.toMatchObject({
      code: 'no_payable_slots',
    });
  });

  it('a payer who clicks twice gets the same reservation (A4)', async () => {
    const { group, slots } = await ledger.newGroup();
    const request = () => reserveRequest(group.id, 'a@example.com', [slots[0]!.id]);
    const first = await ledger.reserve(request());
    const again = await ledger.reserve(request());
    expect([again.intent.id, again.replayed]).toEqual([first.intent.id, false]);
    await ledger.record(authorised(first));
    await expect(ledger.reserve(request())).rejects.toMatchObject({ code: 'no_payable_slots' });
  });

  it('a payer’s new choice replaces the reservation, and a hold of the replaced payment is released (A5, R3)', async () => {
    const { group, slots } = await ledger.newGroup();
    const [one, two, three] = slots.map((slot) => slot.id);
    const old = await ledger.reserve(reserveRequest(group.id, 'a@example.com', [one!, two!]));
    const chosen = await ledger.reserve(reserveRequest(group.id, 'a@example.com', [two!, three!]));
    expect(await ledger.findIntent({ ...scope, intent_id: old.intent.id })).toMatchObject({
      state: 'void_pending',
    });
    const shown = await ledger.find({ ...scope, group_id: group.id });
    expect(shown.slots.map((slot) => slot.state)).toEqual(['unassigned', 'assigned', 'assigned']);
    await ledger.record(authorised(old));
    await ledger.record(authorised(chosen));
    expect(await ledger.readState(group.id)).toBe('partially_preauthorised');
    expect(await ledger.listMessages(group.id, 'cmd.gateway\\_a.payment.void.v1')).toEqual([
      expect.objectContaining({ intent_id: old.intent.id }),
    ]);
  });

  it('a reservation names slots by ids of the group, each once (A9)', async () => {
    const { group, slots } = await ledger.newGroup();
    const foreign = (await ledger.newGroup()).slots[0]!.id;
    const one = slots[0]!.id;
    for (const ids of [[one, one], [foreign], [one, crypto.randomUUID()]])
      await expect(ledger.reserve(reserveRequest(group.id, 'a@example.com', ids))).rejects.toMatchObject({
        code: 'invalid_slot_ids',
      });
    expect(await ledger.count('intents where group_id = $1', [group.id])).toBe(0);
  });
});

describe('at the same time', () => {
  it('fifty payers in three processes want one slot: exactly one gets it', async () => {
    const replicas = [ledger, await ledger.replica(), await ledger.replica()];
    const { group, slots } = await ledger.newGroup();
    const { answers, codes } = await settleAll(
      Array.from({ length: 50 }, (_, n) =>
        replicas[n % 3]!.reserve(reserveRequest(group.id, `p${n}@example.com`, [slots[0]!.id])),
      ),
    );
    expect(answers).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(['no_payable_slots']));
    expect(await ledger.count('intents where group_id = $1', [group.id])).toBe(1);
  });

  it('payers of overlapping sets get disjoint ones, whole or not at all (A2)', async () => {
    const replicas = [ledger, await ledger.replica()];
    for (let round = 0; round < 10; round++) {
      const { group, slots } = await ledger.newGroup({
        distribution: { type: 'equally', number_of_slots: 6 },
        total_minor: '6000',
      });
      const ids = slots.map((slot) => slot.id);
      const sets = [0, 1, 2, 3, 4].flatMap((n) => [ids.slice(n, n + 2), ids.slice(0, n + 1)]);
      const { answers } = await settleAll(
        sets.map((set, n) => replicas[n % 2]!.reserve(reserveRequest(group.id, `p${n}@example.com`, set))),
      );
      const taken = answers.flatMap((answer) => answer.intent.slot_ids);
      expect(taken.length).toBeGreaterThan(0);
      expect(new Set(taken).size).toBe(taken.length);
    }
  });

  it('a payer unknown until now who pays two groups at once is one customer', async () => {
    const other = await ledger.replica();
    for (let round = 0; round < 10; round++) {
      const email = `new${round}@example.com`;
      const groups = [await ledger.newGroup(), await ledger.newGroup()];
      const [a, b] = await Promise.all([
        ledger.reserve(reserveRequest(groups[0]!.group.id, email)),
        other.reserve(reserveRequest(groups[1]!.group.id, email)),
      ]);
      expect(a.intent.customer_id).toBe(b.intent.customer_id);
    }
  });

  it('thirty payers of the thirty slots of one group all get theirs', async () => {
    const replicas = [ledger, await ledger.replica()];
    const { group, slots } = await ledger.newGroup({
      total_minor: '30000',
      distribution: { type: 'equally', number_of_slots: 30 },
    });
    const { codes } = await settleAll(
      slots.map((slot, n) =>
        replicas[n % 2]!.reserve(reserveRequest(group.id, `p${n}@example.com`, [slot.id])),
      ),
    );
    expect(codes).toEqual([]);
  });
});

describe('a command id', () => {
  it('a command id returns its reservation again, in its current state', async () => {
    const { group, slots } = await ledger.newGroup();
    const request = reserveRequest(group.id, 'a@example.com', [slots[0]!.id]);
    const first = await ledger.reserve(request);
    expect(await ledger.reserve(request)).toEqual({ ...first, replayed: true });
    await ledger.record(authorised(first));
    const later = await ledger.reserve(request);
    expect(later).toMatchObject({ replayed: true, intent: { id: first.intent.id, state: 'preauthorised' } });
  });

  it('a command id that comes twice at once, in two processes, takes the slots once', async () => {
    const other = await ledger.replica();
    for (let round = 0; round < 10; round++) {
      const { group } = await ledger.newGroup();
      const request = reserveRequest(group.id, 'a@example.com');
      const answers = await Promise.all([ledger.reserve(request), other.reserve(request)]);
      expect(answers.map((answer) => answer.replayed).toSorted()).toEqual([false, true]);
      expect(answers[0]?.intent.id).toBe(answers[1]?.intent.id);
    }
  });

  it('a command id with another input, or for another group, is refused (Q12)', async () => {
    const { group } = await ledger.newGroup();
    const request = reserveRequest(group.id, 'a@example.com');
    await ledger.reserve(request);
    const elsewhere = (await ledger.newGroup()).group.id;
    for (const other of [{ fingerprint: digest('other') }, { group_id: elsewhere }])
      await expect(ledger.reserve({ ...request, ...other })).rejects.toMatchObject({
        code: 'idempotency_key_reused',
      });
  });

  it('a command id is tried again when its slots were returned because the gateway was away', async () => {
    const { group, slots } = await ledger.newGroup();
    const request = reserveRequest(group.id, 'a@example.com', [slots[0]!.id]);
    const first = await ledger.reserve(request);
    const { intent, attempt } = first;
    const released = { ...scope, group_id: group.id, intent_id: intent.id, attempt_id: attempt!.id, failure };
    await ledger.release(released);
    const second = await ledger.reserve(request);
    expect(second).toMatchObject({ replayed: false, intent: { state: 'created' } });
    expect(second.intent.id).not.toBe(intent.id);
    expect(await ledger.reserve(request)).toEqual({ ...second, replayed: true });
    await expect(ledger.reserve({ ...request, fingerprint: digest('x') })).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
  });

  it('a repeated command id does not undo the payer’s later choice', async () => {
    const { group, slots } = await ledger.newGroup();
    const request = reserveRequest(group.id, 'a@example.com', [slots[0]!.id]);
    await ledger.reserve(request);
    await ledger.reserve(reserveRequest(group.id, 'a@example.com', [slots[0]!.id, slots[1]!.id]));
    await expect(ledger.reserve(request)).rejects.toMatchObject({ code: 'no_payable_slots' });
  });
});

describe('409', () => {
  it('a group past its expiry is expired by the first request, and returns the reason each time (C2, R8)', async () => {
    const { group } = await ledger.newGroup();
    await ledger.passExpiry(group.id);
    const request = reserveRequest(group.id, 'late@example.com');
    for (const _again of [1, 2])
      await expect(ledger.reserve(request)).rejects.toMatchObject({ code: 'group_expired' });
    expect(await ledger.readState(group.id)).toBe('expired');
    expect(await ledger.count(`customers where email = 'late@example.com'`)).toBe(0);
    expect(await ledger.count('commands where group_id = $1', [group.id])).toBe(1);
  });

  it('a group without an active gateway reserves nothing, and one that has ended gives that reason first', async () => {
    const merchant = { merchant_id: 'm-none' };
    const { group } = await ledger.newGroup(merchant);
    const request = reserveRequest(group.id, 'a@example.com', undefined, merchant);
    await expect(ledger.reserve(request)).rejects.toMatchObject({ code: 'no_active_gateway' });
    await ledger.passExpiry(group.id);
    await expect(ledger.reserve(request)).rejects.toMatchObject({ code: 'group_expired' });
    expect(await ledger.readState(group.id)).toBe('expired');
  });

  it('a revoked account takes no new payments', async () => {
    const merchant = { merchant_id: 'm-revoked' };
    const { group } = await ledger.newGroup(merchant);
    await ledger.note(connection({ ...merchant, revoked_at: new Date().toISOString() }));
    const request = reserveRequest(group.id, 'a@example.com', undefined, merchant);
    await expect(ledger.reserve(request)).rejects.toMatchObject({ code: 'no_active_gateway' });
  });
});

describe('404', () => {
  it.each([{ merchant_id: 'm2' }, { mode: 'live' as const }])(
    'a reservation in a group that is not found is a 404 for %j (S9)',
    async (other) => {
      const { group } = await ledger.newGroup();
      await expect(
        ledger.reserve(reserveRequest(group.id, 'a@example.com', undefined, other)),
      ).rejects.toMatchObject({ code: 'not_found' });
    },
  );
});

describe('the payer', () => {
  it('a payer keeps a name until another one is given (Q1)', async () => {
    const nameAfter = async (customer_name?: string) => {
      const { group } = await ledger.newGroup();
      await ledger.reserve(
        reserveRequest(
          group.id,
          'named@example.com',
          undefined,
          customer_name === undefined ? {} : { customer_name },
        ),
      );
      const [row] = await ledger.rows<{ name: string }>(
        `select name from customers where email = 'named@example.com'`,
      );
      return row?.name;
    };
    expect(await nameAfter('Ann')).toBe('Ann');
    expect(await nameAfter()).toBe('Ann');
    expect(await nameAfter('   ')).toBe('Ann');
    expect(await nameAfter('Anne')).toBe('Anne');
  });

  it.each([
    { customer_email: 'a\u0000b@example.com' },
    { customer_name: 'A\u0000' },
    { customer_name: '\udfff' },
  ])('a payer whose details cannot be stored is refused, and nothing is taken: %j', async (hostile) => {
    const { group } = await ledger.newGroup();
    await expect(
      ledger.reserve(reserveRequest(group.id, 'a@example.com', undefined, hostile)),
    ).rejects.toMatchObject({ code: 'validation_error' });
    expect(await ledger.count('intents where group_id = $1', [group.id])).toBe(0);
  });
});

describe('slots that are given back', () => {
  it('slots that are given back are free for any payer at once, and releasing them again changes nothing', async () => {
    const { group } = await ledger.newGroup();
    const { intent, attempt } = await ledger.reserve(reserveRequest(group.id, 'a@example.com'));
    const release = () =>
      ledger.release({
        ...scope,
        group_id: group.id,
        intent_id: intent.id,
        attempt_id: attempt!.id,
        failure,
      });
    expect(await release()).toMatchObject({ state: 'failed', failure });
    expect(await release()).toMatchObject({ state: 'failed', failure });
    expect(await ledger.listMessages(group.id, 'evt.ledger.payment\\_intent.failed.%')).toHaveLength(1);
    const next = await ledger.reserve(reserveRequest(group.id, 'b@example.com'));
    expect(next.intent.slot_ids).toHaveLength(3);
  });

  it('a payment that is already processing does not return its slots when its preparation is given up', async () => {
    const { group } = await ledger.newGroup();
    const reserved = await ledger.reserve(reserveRequest(group.id, 'a@example.com'));
    await ledger.record(authorised(reserved, { status: 'authenticating', capture_before: null }));
    const { intent } = reserved;
    await ledger.release({ ...scope, group_id: group.id, intent_id: intent.id, attempt_id: null, failure });
    expect(await ledger.findIntent({ ...scope, intent_id: intent.id })).toMatchObject({
      state: 'processing',
    });
  });

  it('a decline frees the slots, and the same payer may pay them again (B8)', async () => {
    const { group, slots } = await ledger.newGroup();
    const first = await ledger.reserve(reserveRequest(group.id, 'a@example.com', [slots[0]!.id]));
    await ledger.record(declined(first));
    const second = await ledger.reserve(reserveRequest(group.id, 'a@example.com', [slots[0]!.id]));
    expect(second.intent.id).not.toBe(first.intent.id);
  });

  it('an unknown payment is not found', async () => {
    const { group } = await ledger.newGroup();
    const unknown = {
      ...scope,
      group_id: group.id,
      intent_id: crypto.randomUUID(),
      attempt_id: null,
      failure,
    };
    await expect(ledger.release(unknown)).rejects.toThrow(AppError);
  });
});
