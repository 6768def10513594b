import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { GatewayConnection } from '@gp/contracts';
import { authorised, listOrders } from './gateway.ts';
import { settleAll, connection, reserveRequest, useLedger } from './harness.ts';

const ledger = useLedger();
let merchants = 0;

/** The dashboard's messages about one merchant, in the order of the changes: the last activation counts. */
function history(merchant_id: string): GatewayConnection[] {
  const told = (revision: number, o: Partial<GatewayConnection>) =>
    connection({ merchant_id, revision, ...o });
  const revoked_at = '2026-01-01T00:00:00.000Z';
  return [
    told(1, { psp_code: 'gateway_a' }),
    told(2, { psp_code: 'gateway_b' }),
    told(3, { psp_code: 'gateway_a' }),
    told(4, { psp_code: 'gateway_a', version: 2 }),
    told(5, { psp_code: 'gateway_b' }),
    told(6, { psp_code: 'gateway_b', active: false, revoked_at }),
    told(7, { psp_code: 'gateway_a', version: 2, active: false, revoked_at }),
    told(8, { psp_code: 'gateway_b', version: 2 }),
    told(9, { psp_code: 'gateway_a', version: 3, active: false }),
  ];
}

const shuffled = (length: number) => {
  const indexes = Array.from({ length }, (_, index) => index);
  return fc.shuffledSubarray(indexes, { minLength: length });
};

const stored = (merchant_id: string) =>
  ledger.rows(
    `select psp_code, version, active, revoked_at is not null as revoked, revision::int
     from gateway_connections where merchant_id = $1 order by psp_code, version`,
    [merchant_id],
  );

describe('news of connections', () => {
  it('the state of connections is the same in whatever order and however often their messages arrive', async () => {
    const told = fc.integer({ min: 1, max: 9 }).chain((length) =>
      fc.record({
        length: fc.constant(length),
        order: shuffled(length),
        again: fc.array(fc.nat(length - 1)),
      }),
    );
    await fc.assert(
      fc.asyncProperty(told, async ({ length, order, again }) => {
        const [straight, crooked] = [`m-order-${merchants++}`, `m-order-${merchants++}`];
        for (const news of history(straight).slice(0, length)) await ledger.note(news);
        for (const index of [...order, ...again]) await ledger.note(history(crooked)[index]!);
        expect(await stored(crooked)).toEqual(await stored(straight));
      }),
      { numRuns: 150 },
    );
  });

  it('the active gateway changes with each activation, and is never two at once', async () => {
    const merchant = `m-order-${merchants++}`;
    const actives = [];
    for (const news of history(merchant)) {
      await ledger.note(news);
      const rows = (await stored(merchant)) as { psp_code: string; version: number; active: boolean }[];
      actives.push(rows.filter((row) => row.active).map((row) => `${row.psp_code}/${row.version}`));
    }
    expect(actives).toEqual([
      ['gateway_a/1'],
      ['gateway_b/1'],
      ['gateway_a/1'],
      ['gateway_a/2'],
      ['gateway_b/1'],
      [],
      [],
      ['gateway_b/2'],
      ['gateway_b/2'],
    ]);
  });

  it('a connection reported by both ways at once in two processes does not fail', async () => {
    const other = await ledger.replica();
    for (let round = 0; round < 10; round++) {
      const merchant = `m-order-${merchants++}`;
      const news = history(merchant);
      const { codes } = await settleAll([
        ...news.map((each) => ledger.follow(each)),
        ...news.map((each) => other.note(each)),
      ]);
      expect(codes).toEqual([]);
      expect((await stored(merchant)).filter((row) => (row as { active: boolean }).active)).toMatchObject([
        { psp_code: 'gateway_b', version: 2 },
      ]);
    }
  });

  it('connections of test and live, and of two merchants, never affect each other (S9)', async () => {
    await ledger.note(connection({ merchant_id: 'm-x', psp_code: 'gateway_a' }));
    await ledger.note(connection({ merchant_id: 'm-x', psp_code: 'gateway_b', mode: 'live' }));
    await ledger.note(connection({ merchant_id: 'm-y', psp_code: 'gateway_b' }));
    expect(
      await ledger.rows(
        `select merchant_id, mode, psp_code from gateway_connections
         where active and merchant_id in ('m-x', 'm-y') order by 1, 2`,
      ),
    ).toEqual([
      { merchant_id: 'm-x', mode: 'live', psp_code: 'gateway_b' },
      { merchant_id: 'm-x', mode: 'test', psp_code: 'gateway_a' },
      { merchant_id: 'm-y', mode: 'test', psp_code: 'gateway_b' },
    ]);
  });
});

describe('a merchant who switches', () => {
  it('a merchant who switches gets new payments on the new gateway while those under way keep their account (B11)', async () => {
    const merchant = { merchant_id: 'm-switch' };
    await ledger.note(connection({ ...merchant, psp_code: 'gateway_a' }));
    const { group, slots } = await ledger.newGroup(merchant);
    const pay = (n: number) =>
      ledger.reserve(reserveRequest(group.id, `p${n}@example.com`, [slots[n]!.id], merchant));
    const first = await pay(0);
    await ledger.note(connection({ ...merchant, psp_code: 'gateway_b', revision: 2 }));
    const second = await pay(1);
    expect([first.intent.psp_code, second.intent.psp_code]).toEqual(['gateway_a', 'gateway_b']);
    await ledger.record({ ...authorised(first), ...merchant });
    expect(await ledger.readState(group.id)).toBe('partially_preauthorised');
  });

  it('a merchant who switches off and on again has complete groups captured once the account is back (B11)', async () => {
    const merchant = { merchant_id: 'm-off' };
    await ledger.note(connection(merchant));
    const { group } = await ledger.newGroup(merchant);
    const reserved = await ledger.reserve(reserveRequest(group.id, 'a@example.com', undefined, merchant));
    await ledger.follow(
      connection({ ...merchant, revision: 2, active: false, revoked_at: new Date().toISOString() }),
    );
    await ledger.record({ ...authorised(reserved), ...merchant });
    expect(await ledger.readState(group.id)).toBe('preauthorised');
    expect(await listOrders(ledger, group.id, 'capture')).toEqual([]);
    expect(await ledger.count('operator_tasks where group_id = $1 and resolved_at is null', [group.id])).toBe(
      1,
    );

    const back = connection({ ...merchant, revision: 3 });
    await ledger.note(back);
    expect(await ledger.readState(group.id)).toBe('preauthorised');
    await ledger.follow(back);
    expect(await ledger.readState(group.id)).toBe('capturing');
    expect(await listOrders(ledger, group.id, 'capture')).toHaveLength(1);
  });

  it('a merchant who switches has all groups captured except the one that fails, which is retried (B17)', async () => {
    const merchant = { merchant_id: 'm-three' };
    await ledger.note(connection(merchant));
    const reserved = [];
    for (let n = 0; n < 3; n++) {
      const { group } = await ledger.newGroup(merchant);
      reserved.push(await ledger.reserve(reserveRequest(group.id, 'a@example.com', undefined, merchant)));
    }
    const revoked_at = new Date().toISOString();
    await ledger.follow(connection({ ...merchant, revision: 2, active: false, revoked_at }));
    for (const each of reserved) await ledger.record({ ...authorised(each), ...merchant });
    const waiting = await ledger.rows<{ id: string }>(
      `select id from groups where merchant_id = $1 and mode = 'test' and state = 'preauthorised'`,
      [merchant.merchant_id],
    );
    expect(waiting).toHaveLength(3);
    const states = async () => Promise.all(waiting.map(({ id }) => ledger.readState(id)));
    // The first one contradicts itself, so that it cannot be loaded.
    const [damaged] = await ledger.rows<{ id: string; capture_before: Date }>(
      'select id, capture_before from intents where group_id = $1',
      [waiting[0]!.id],
    );
    const setDeadline = (at: Date | null) =>
      ledger.rows('update intents set capture_before = $2 where id = $1', [damaged!.id, at]);
    await setDeadline(null);
    const back = connection({ ...merchant, revision: 3 });
    await expect(ledger.follow(back)).rejects.toThrow('1 groups that wait');
    await setDeadline(damaged!.capture_before);
    expect(await states()).toEqual(['preauthorised', 'capturing', 'capturing']);
    await ledger.follow(back);
    expect(await states()).toEqual(['capturing', 'capturing', 'capturing']);
  });
});

it('a matter that was settled and happens again is open again', async () => {
  const merchant = { merchant_id: 'm-alert' };
  await ledger.note(connection(merchant));
  const { group } = await ledger.newGroup(merchant);
  const reserved = await ledger.reserve(reserveRequest(group.id, 'a@example.com', undefined, merchant));
  const revoked = connection({
    ...merchant,
    revision: 2,
    active: false,
    revoked_at: new Date().toISOString(),
  });
  await ledger.follow(revoked);
  await ledger.record({ ...authorised(reserved), ...merchant });
  await ledger.db.pool.query(
    `update operator_tasks set resolved_at = now(), resolved_by = 'ann' where group_id = $1`,
    [group.id],
  );
  await ledger.follow(revoked);
  expect(await ledger.rows('select resolved_at from operator_tasks where group_id = $1', [group.id])).toEqual(
    [{ resolved_at: null }],
  );
});
