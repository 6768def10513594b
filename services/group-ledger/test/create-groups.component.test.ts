import { describe, expect, it, jest } from '@jest/globals';
import type { AppError } from '@gp/errors';
import type { Db } from '@gp/pg';
import { patientPg } from '@gp/testing';
import { allocationUnits } from '../src/app/groups/allocation-unit.ts';
import type { LedgerParts } from '../src/app/change/change-group.ts';
import { createGroups } from '../src/app/groups/create-groups.ts';
import { newNames } from '../src/app/groups/new-names.ts';
import { createGroupsStatement } from '../src/db/group/create-groups.ts';
import { settleAll, connection, createCommand, digest, useLedger } from './harness.ts';

const ledger = useLedger();
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

describe('a new group', () => {
  it('a new group is open, with its total split over free slots, and is read as the create returned it', async () => {
    const { replayed, ...created } = await ledger.newGroup({ total_minor: '10000', metadata: { table: 7 } });
    expect(replayed).toBe(false);
    expect(created.group).toMatchObject({ state: 'open', total_minor: '10000', metadata: { table: 7 } });
    expect(created.slots.map((slot) => slot.amount_minor)).toEqual(['3334', '3333', '3333']);
    expect(created.slots.map((slot) => [slot.state, slot.sequence_no])).toEqual([
      ['unassigned', 1],
      ['unassigned', 2],
      ['unassigned', 3],
    ]);
    expect(await ledger.find({ merchant_id: 'm1', mode: 'test', group_id: created.group.id })).toEqual({
      ...created,
      facts: { is_collecting: true, awaits_payers: true, is_settled: false },
    });
  });

  it('a new group sets its expiry timer in the same transaction', async () => {
    const { group } = await ledger.newGroup();
    const [instruction, ...more] = await ledger.timers(group.id);
    expect(instruction).toMatchObject({
      owner: 'ledger',
      revision: 1,
      timer: { kind: 'group_expiry', due_at: group.expires_at, data: { group_id: group.id } },
    });
    expect(more).toEqual([]);
  });

  it('a batch of new groups sets its timers in one message a mode, and none for groups it did not make', async () => {
    const repeated = createCommand();
    await ledger.create(repeated);
    await ledger.database.asOwner('group_ledger', 'truncate outbox');
    const fresh = [createCommand(), createCommand(), createCommand({ mode: 'live' })];
    const made = await Promise.all([repeated, ...fresh].map((command) => ledger.create(command)));
    const told = await ledger.rows<{ mode: string; keys: string[] }>(
      `select mode, jsonb_path_query_array(payload, '$.instructions[*].key') as keys from outbox order by mode`,
    );
    const keys = (mode: string) =>
      made
        .filter(({ group, replayed }) => group.mode === mode && !replayed)
        .map(({ group }) => `expiry:${group.id}`);
    expect(told.map(({ mode }) => mode)).toEqual(['live', 'test']);
    expect(told.map((row) => row.keys.toSorted())).toEqual([
      keys('live').toSorted(),
      keys('test').toSorted(),
    ]);
  });

  it.each([
    ['EUR', '10000', 3, ['3334', '3333', '3333']],
    ['JPY', '100', 3, ['34', '33', '33']],
    ['KWD', '10000', 4, ['2500', '2500', '2500', '2500']],
  ])(
    'a new group of %s %s for %i is split without a remainder (G1, G2)',
    async (currency, total_minor, n, shares) => {
      const { slots } = await ledger.newGroup({
        currency,
        total_minor,
        distribution: { type: 'equally', number_of_slots: n },
      });
      expect(slots.map((slot) => slot.amount_minor)).toEqual(shares);
    },
  );

  it('a new group of three decimals is split in tens where gateway_a is active, and in ones elsewhere (G3)', async () => {
    const kwd = { currency: 'KWD', total_minor: '10000' };
    await ledger.note(connection({ merchant_id: 'm-b', psp_code: 'gateway_b' }));
    const amounts = async (merchant_id: string) =>
      (await ledger.newGroup({ ...kwd, merchant_id })).slots.map((slot) => slot.amount_minor);
    expect(await amounts('m1')).toEqual(['3340', '3330', '3330']);
    expect(await amounts('m-b')).toEqual(['3334', '3333', '3333']);
    await expect(ledger.newGroup({ ...kwd, total_minor: '10001' })).rejects.toMatchObject({
      code: 'validation_error',
      data: { param: 'total_amount' },
    });
  });

  it('a new group in ariary is split whole where gateway_a is active (G3)', async () => {
    const { slots } = await ledger.newGroup({ currency: 'MGA', total_minor: '100000' });
    expect(slots.map((slot) => slot.amount_minor)).toEqual(['33400', '33300', '33300']);
  });

  it('a new group keeps the merchant’s metadata on the group and on each slot, and shows none as {}', async () => {
    const { slots, group } = await ledger.newGroup({
      distribution: { type: 'equally', number_of_slots: 2, slot_metadata: [{ seat: 'A' }, {}] },
    });
    expect([group.metadata, ...slots.map((slot) => slot.metadata)]).toEqual([{}, { seat: 'A' }, {}]);
    const custom = await ledger.newGroup({
      distribution: {
        type: 'custom',
        slots: [
          { amount_minor: '1000', metadata: {} },
          { amount_minor: '2000', metadata: { seat: 'B' } },
        ],
      },
    });
    expect(custom.slots.map((slot) => slot.metadata)).toEqual([{}, { seat: 'B' }]);
  });
});

describe('400', () => {
  it.each([
    ['an expiry that is over', { expires_at: inMs(-1_000) }, 'expires_at', 'expiry must be in the future'],
    [
      'an expiry more than seven days ahead',
      { expires_at: inMs(WEEK_MS + HOUR_MS) },
      'expires_at',
      'expiry cannot be more than 7 days in the future',
    ],
    [
      'custom shares that do not add up',
      { distribution: { type: 'custom' as const, slots: [{ amount_minor: '2999', metadata: {} }] } },
      'distribution',
      'sum of slot amounts must equal total amount',
    ],
    [
      'metadata for another number of slots (Q22)',
      { distribution: { type: 'equally' as const, number_of_slots: 3, slot_metadata: [{}] } },
      'distribution.slot_metadata',
      'must have one entry for each slot',
    ],
    [
      'labels for another number of slots (Q71)',
      { distribution: { type: 'equally' as const, number_of_slots: 3, slot_labels: ['Ben', null] } },
      'distribution.slot_labels',
      'must have one entry for each slot',
    ],
    [
      'a label that is too long (Q71)',
      {
        distribution: {
          type: 'custom' as const,
          slots: [{ amount_minor: '3000', metadata: {}, label: 'x'.repeat(61) }],
        },
      },
      'label',
      'must have 1 to 60 characters',
    ],
    ['a name that is too long', { group_name: 'x'.repeat(33) }, 'group_name', 'must have 1 to 32 characters'],
  ])('a create with %s is a 400 and writes nothing', async (_what, fault, param, reason) => {
    const before = await ledger.count('groups');
    await expect(ledger.newGroup(fault)).rejects.toMatchObject({
      code: 'validation_error',
      data: { param, message: `Validation error: ${param}: ${reason}` },
    });
    expect(await ledger.count('groups')).toBe(before);
  });

  it.each([
    ['in the future by the world', inMs(HOUR_MS), 'expiry must be in the future'],
    [
      'too far ahead of the test clock',
      inMs(10 * WEEK_MS),
      'expiry cannot be more than 7 days in the future',
    ],
  ])(
    'a create with an expiry %s names the test clock that is ahead (Q33)',
    async (_what, expires_at, reason) => {
      const merchant_id = 'm-ahead';
      await ledger.db.pool.query(
        `insert into test_clocks (merchant_id, ahead, revision) values ($1, interval '2 hours', 1) on conflict do nothing`,
        [merchant_id],
      );
      await expect(ledger.newGroup({ merchant_id, expires_at })).rejects.toMatchObject({
        code: 'validation_error',
        data: {
          message: `Validation error: expires_at: ${reason}`,
          param: 'expires_at',
          hint: expect.stringMatching(
            /^your test clock is 7200 seconds ahead: its time is \d{4}-\d\d-\d\dT.*Z\. GET \/v1\/test\/clock/,
          ),
        },
      });
      const live = ledger.newGroup({
        merchant_id,
        mode: 'live',
        expires_at: inMs(10 * WEEK_MS),
      });
      expect((await live.catch((error: unknown) => (error as AppError).data)) as object).not.toHaveProperty(
        'hint',
      );
    },
  );

  it.each([
    ['a NUL in metadata', { metadata: { note: 'a\u0000b' } }],
    ['half of a surrogate pair in metadata', { metadata: { note: '\ud800' } }],
    ['a NUL in the name', { group_name: 'a\u0000b' }],
    [
      'a NUL in the metadata of a slot',
      {
        distribution: {
          type: 'custom' as const,
          slots: [{ amount_minor: '3000', metadata: { '\u0000': 1 } }],
        },
      },
    ],
  ])('the value %s is the sender’s mistake, never an internal error', async (_what, fault) => {
    await expect(ledger.newGroup(fault)).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('the database’s clock decides whether the expiry is in the future (R8)', async () => {
    // Every connection is busy until after the expiry that was still ahead when the service looked.
    const busy = Array.from({ length: 4 }, () => ledger.db.pool.query('select pg_sleep(0.4)'));
    await expect(ledger.newGroup({ expires_at: inMs(200) })).rejects.toMatchObject({
      code: 'validation_error',
      data: { message: 'Validation error: expires_at: expiry must be in the future' },
    });
    await Promise.all(busy);
  });
});

describe('a command id', () => {
  it('a command id runs once: a repeat returns the same group, as it is now', async () => {
    const command = createCommand();
    const first = await ledger.create(command);
    await ledger.cancel({
      ...command,
      group_id: first.group.id,
      command_id: digest('c1'),
      actor: 'operator',
    });
    const messages = await ledger.count('outbox');
    const second = await ledger.create(command);
    expect(second.replayed).toBe(true);
    expect(second.group).toMatchObject({ id: first.group.id, state: 'cancelled' });
    expect(await ledger.count('outbox')).toBe(messages);
  });

  it('a command id still returns its group when it is repeated after the group’s expiry', async () => {
    const command = createCommand({ expires_at: inMs(HOUR_MS) });
    const first = await ledger.create(command);
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.parse(command.expires_at) + 1);
    try {
      const second = await ledger.create(command);
      expect([second.replayed, second.group.id]).toEqual([true, first.group.id]);
    } finally {
      now.mockRestore();
    }
  });

  it('a command id with another input is refused (Q12)', async () => {
    const command = createCommand();
    await ledger.create(command);
    const other = { ...command, total_minor: '4000', fingerprint: digest('other') };
    await expect(ledger.create(other)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('a command id that comes twenty times at once makes one group, within one statement and across processes', async () => {
    const command = createCommand();
    const other = await ledger.replica();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? other : ledger).create(command)),
    );
    expect(new Set(answers.map((answer) => answer.group.id)).size).toBe(1);
    expect(answers.filter((answer) => !answer.replayed)).toHaveLength(1);
    const [{ id } = { id: '' }] = answers.map((answer) => answer.group);
    expect(await ledger.count('slots where group_id = $1', [id])).toBe(3);
  });

  it('a repeated command id never makes two batches deadlock', async () => {
    const replicas = [counting(ledger.parts), counting((await ledger.replica()).parts)];
    await takingTime(async () => {
      for (let round = 0; round < 3; round++) {
        const commands = Array.from({ length: 40 }, () => createCommand());
        const { answers, codes } = await settleAll(
          replicas.flatMap(({ create }, n) =>
            (n ? commands.toReversed() : commands).map((each) => create(each)),
          ),
        );
        expect(codes).toEqual([]);
        expect(answers.filter((answer) => !answer.replayed)).toHaveLength(40);
      }
    });
    // A deadlock would have ended one statement, and its commands would have been tried again in halves.
    expect(replicas.map(({ statements }) => statements())).toEqual([3, 3]);
  });
});

/** Claiming a command takes two milliseconds meanwhile, so that two batches are sure to meet on the way. */
async function takingTime(work: () => Promise<void>): Promise<void> {
  const admin = await patientPg({ url: ledger.database.adminUrl, name: 'admin', max: 1 });
  try {
    await admin.pool.query(
      `create function group_ledger.dawdle() returns trigger language plpgsql
         as $$ begin perform pg_sleep(0.002); return new; end $$;
       create trigger dawdle before insert on group_ledger.commands for each row execute function group_ledger.dawdle()`,
    );
    await work();
    await admin.pool.query('drop function group_ledger.dawdle cascade');
  } finally {
    await admin.close();
  }
}

/** A ledger that counts its create statements. */
function counting(parts: LedgerParts) {
  let count = 0;
  const query: Db['query'] = (statement, values) => {
    if (statement.name === createGroupsStatement.name) count += 1;
    return parts.db.query(statement, values);
  };
  const db = { ...parts.db, query };
  return { create: createGroups({ ...parts, db, findAmountUnit: async () => 1n }), statements: () => count };
}

describe('a batch', () => {
  it('a batch gives every command its own result: an invalid one does not affect the others', async () => {
    const commands = Array.from({ length: 32 }, () => createCommand());
    commands[4] = createCommand({ metadata: { note: '\u0000' } });
    commands[17] = createCommand({ expires_at: inMs(-1_000) });
    commands[31] = createCommand({ group_name: '\u0000' });
    const { answers, codes } = await settleAll(commands.map((command) => ledger.create(command)));
    expect(codes).toEqual(['validation_error', 'validation_error', 'validation_error']);
    expect(answers.every((answer) => !answer.replayed)).toBe(true);
    expect(answers).toHaveLength(29);
  });

  it('a batch drops commands whose callers have left before the statement', async () => {
    const command = createCommand();
    await expect(ledger.create(command, { deadline: Date.now() - 1 })).rejects.toMatchObject({
      code: 'deadline_exceeded',
    });
    expect((await ledger.create(command)).replayed).toBe(false);
  });

  it('a batch refuses at once what would wait too long', async () => {
    const { codes } = await settleAll(Array.from({ length: 1_200 }, () => ledger.newGroup()));
    expect(new Set(codes)).toEqual(new Set(['service_unavailable']));
    expect(codes.length).toBeGreaterThanOrEqual(100);
  });
});

it('an order id that is taken is replaced without an error to the merchant (Q20)', async () => {
  const { group } = await ledger.newGroup();
  const taken = { merchant_order_id: group.merchant_order_id, page_token: group.page_token };
  const parts = { ...ledger.parts, findAmountUnit: allocationUnits(ledger.db) };
  let tries = 0;
  const create = createGroups({ ...parts, names: (now) => (tries++ < 2 ? taken : newNames(now)) });
  const created = await create(createCommand());
  expect(created.group.merchant_order_id).not.toBe(taken.merchant_order_id);
  const stored = await ledger.findByPageToken({ page_token: created.group.page_token });
  expect(stored.group).toEqual(created.group);
  const stubborn = createGroups({ ...parts, names: () => taken });
  await expect(stubborn(createCommand())).rejects.toMatchObject({ code: 'duplicate_merchant_order_id' });
});
