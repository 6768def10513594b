import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Db } from '@gp/pg';
import { patientPg } from '@gp/testing';
import { addPostings } from '../src/app/books/add-postings.ts';
import { answerAll } from './gateway.ts';
import { heldGroup, paidGroup, tippedGroup } from './groups.ts';
import { digest, scope, useLedger } from './harness.ts';
import { findViolations } from './invariants.ts';

const ledger = useLedger();
let admin: Db;
/** Groups in every part of their life, by the name the statements below know them by. */
const groups: Record<string, string> = {};

beforeAll(async () => {
  admin = await patientPg({ url: ledger.database.adminUrl, name: 'admin', max: 1 });
  await admin.pool.query('set search_path to group_ledger');
  const partly = { command_id: digest('refund'), fingerprint: digest('refund'), source: 'api' as const };
  groups['held'] = (await heldGroup(ledger, { except: 1 })).id;
  groups['capturing'] = (await heldGroup(ledger)).id;
  groups['paid'] = (await paidGroup(ledger)).id;
  groups['tipped'] = await tippedGroup(ledger);
  const refunding = await paidGroup(ledger);
  groups['refunded'] = refunding.id;
  await ledger.refund({ ...scope, ...partly, group_id: refunding.id, slot_ids: [refunding.slots[0]!.id] });
  await answerAll(ledger, refunding.id, 'refund', 'refunded');
  const ended = (await heldGroup(ledger, { except: 1 })).id;
  groups['ended'] = ended;
  await ledger.cancel({
    ...scope,
    group_id: ended,
    command_id: digest('end'),
    fingerprint: '00',
    actor: 'kim',
  });
  await answerAll(ledger, ended, 'void', 'voided');
  await addPostings(ledger.db, 0).runOnce(AbortSignal.timeout(10_000));
});
afterAll(() => admin?.close());

const oneIntent = (group: string) => `(select min(id::text)::uuid from intents where group_id = '${group}')`;
const oneSlot = (group: string) => `group_id = '${group}' and sequence_no = 1`;

it.each<[promise: string, sql: (g: Record<string, string>) => string]>([
  [
    'S1 a slot has at most one live hold',
    ({ held }) =>
      `update intents set slot_ids = (select array_agg(id) from slots where group_id = '${held}') where group_id = '${held}'`,
  ],
  [
    'S1 a taken slot belongs',
    ({ paid }) => `update slots set state = 'preauthorised' where ${oneSlot(paid!)}`,
  ],
  ['S1 a taken slot belongs', ({ held }) => `update slots set state = 'assigned' where ${oneSlot(held!)}`],
  ['S1 a taken slot belongs', ({ paid }) => `update slots set state = 'refunded' where ${oneSlot(paid!)}`],
  [
    'S1 all slots of a payment move',
    ({ held }) => `update slots set state = 'cancelled' where ${oneSlot(held!)}`,
  ],
  ['S2 the slots add up', ({ held }) => `update slots set amount_minor = 1001 where ${oneSlot(held!)}`],
  [
    'S2 a payment is for its slots and its tip',
    ({ tipped }) => `update intents set tip_minor = 1 where id = ${oneIntent(tipped!)}`,
  ],
  [
    'S2 a payment is for its slots and its tip',
    ({ held }) => `update slots set amount_minor = 999 where group_id = '${held}'`,
  ],
  [
    'S2 no tip is larger than its group allows',
    ({ tipped }) => `update groups set max_tip_minor = 199 where id = '${tipped}'`,
  ],
  [
    'S2 no tip is larger than its group allows',
    ({ tipped }) => `update groups set max_tip_minor = null where id = '${tipped}'`,
  ],
  [
    'S2 no more than the total is captured for the slots',
    ({ tipped }) => `update intents set tip_minor = 0 where group_id = '${tipped}'`,
  ],
  [
    'S2 no more than the total is captured',
    ({ paid }) => `update intents set amount_captured = 2000 where group_id = '${paid}'`,
  ],
  [
    'S2 no more than its hold is captured',
    ({ paid }) => `update intents set amount_captured = 1001 where id = ${oneIntent(paid!)}`,
  ],
  [
    'S2 no more than its capture is refunded',
    ({ paid }) =>
      `alter table intents drop constraint intents_give_back_at_most_what_they_took;
       update intents set amount_refunded = 1001 where id = ${oneIntent(paid!)}`,
  ],
  [
    'S2 outside the slots no more than its hold',
    ({ held }) =>
      `alter table attempts drop constraint attempts_take_at_most_what_they_hold;
       update attempts set amount_captured = 1001 where group_id = '${held}'`,
  ],
  [
    'S2 outside the slots no more than its hold',
    ({ held }) =>
      `alter table attempts drop constraint attempts_give_back_at_most_what_they_took;
       update attempts set amount_captured = 1, amount_refunded = 2 where group_id = '${held}'`,
  ],
  [
    'S2 a charge that counts is not booked',
    ({ paid }) => `update attempts set amount_captured = 1 where group_id = '${paid}'`,
  ],
  [
    'S3 nothing is captured',
    ({ capturing }) => `update groups set state = 'expired', expired_at = now() where id = '${capturing}'`,
  ],
  [
    'S3 at the end no less is captured',
    ({ capturing }) =>
      `update groups set expired_at = now(), capture_minimum_minor = 1000000 where id = '${capturing}'`,
  ],
  [
    'S3 at the end no less is captured',
    ({ capturing }) =>
      `update groups set expired_at = now(), capture_minimum_slots = 30 where id = '${capturing}'`,
  ],
  [
    'S4 every hold is counted',
    ({ held }) => `update intents set state = 'failed' where id = ${oneIntent(held!)}`,
  ],
  [
    'S4 no hold outlives its group',
    ({ held }) => `update groups set state = 'expired', expired_at = now() where id = '${held}'`,
  ],
  ['S5 the state', ({ held }) => `update groups set state = 'open' where id = '${held}'`],
  ['S5 the counts of groups', () => `update group_counts_end set end_day = 'infinity'`],
  ['S5 the state', ({ refunded }) => `update groups set state = 'refunded' where id = '${refunded}'`],
  ['S5 the state', ({ paid }) => `update orders set state = 'failed' where group_id = '${paid}'`],
  ['S6 paid means', ({ paid }) => `update intents set amount_captured = 0 where group_id = '${paid}'`],
  [
    'S7 one effect',
    ({ capturing }) =>
      `insert into outbox (id, subject, group_key, mode, payload)
       select gen_random_uuid(), subject, group_key, mode, payload || '{"operation_id": "another"}' from outbox
       where group_key = '${capturing}' and subject like '%capture%' limit 1`,
  ],
  [
    'S8 the postings of an entry',
    ({ paid }) => `update postings set amount_minor = amount_minor + 1 where group_id = '${paid}'`,
  ],
  ['S8 the account of holds', ({ held }) => `delete from postings where group_id = '${held}'`],
  [
    'S8 the account of the merchant',
    ({ paid }) => `delete from postings where group_id = '${paid}' and account = 'merchant:captured'`,
  ],
  [
    'S8 the account of the merchant',
    ({ ended }) => `update attempts set amount_captured = 2, amount_refunded = 1 where group_id = '${ended}'`,
  ],
  [
    'S8 the account of tips',
    ({ tipped }) =>
      `update postings set account = 'merchant:captured' where group_id = '${tipped}' and account = 'merchant:tips'`,
  ],
  [
    'S8 the account of tips',
    ({ tipped }) =>
      `update postings set account = 'merchant:tips' where group_id = '${tipped}' and account = 'merchant:captured'`,
  ],
  ['S8 the sums of postings', () => `update posting_sums set refunded_in = refunded_in + 1`],
  ['S8 the sums of postings', () => `update posting_sums set tips_in = 0, tips_out = 0`],
  [
    'S8 the sums of postings',
    () => `update posting_sums_end set end_id = '00000000-0000-0000-0000-000000000000'`,
  ],
  ['S8 the sums of postings', () => `delete from posting_sums`],
  ['S8 the movements', () => `update movements set amount_minor = amount_minor + 1`],
  ['S8 the movements', () => `update movements set merchant_id = 'm2'`],
  ['S8 the movements', ({ paid }) => `delete from movements where group_id = '${paid}'`],
  ['S9 test and live never mix', () => `update customers set mode = 'live'`],
  ['S9 test and live never mix', () => `update customers set merchant_id = 'm2'`],
  ['S9 a message keeps', ({ paid }) => `update outbox set mode = 'live' where group_key = '${paid}'`],
  ['S10 events are numbered', ({ paid }) => `delete from events where group_id = '${paid}' and sequence = 3`],
  [
    'S10 every transition has the event',
    ({ paid }) => `delete from events where group_id = '${paid}' and type = 'group_payment.paid'`,
  ],
  [
    'S10 every transition has the event',
    ({ ended }) => `delete from events where group_id = '${ended}' and type = 'group_payment.cancelled'`,
  ],
  [
    'S10 every transition has the event',
    ({ ended }) => `delete from events where group_id = '${ended}' and type = 'payment_intent.released'`,
  ],
  [
    'S10 every transition has the event',
    ({ held }) =>
      `update events set type = 'payment_intent.released' where group_id = '${held}' and sequence = 1`,
  ],
  [
    'S10 every transition has the event',
    ({ paid }) => `update intents set disputed = true where group_id = '${paid}'`,
  ],
  [
    'S10 every event is told',
    ({ paid }) => `delete from outbox where group_key = '${paid}' and subject like 'evt.%paid%'`,
  ],
  [
    'S10 every event is told',
    ({ paid }) =>
      `insert into outbox (id, subject, group_key, mode, payload)
       select id, subject, group_key, mode, payload from outbox where group_key = '${paid}' and subject like 'evt.%'`,
  ],
])('notices when "%s …" is broken', async (promise, sql) => {
  const client = await admin.pool.connect();
  try {
    await client.query(`begin; ${sql(groups)}`);
    const found = (await findViolations(client)).map((violation) => violation.promise);
    expect(found.filter((each) => each.startsWith(promise))).not.toEqual([]);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

it('an end that an older release did not announce breaks no promise where the release’s end is set (S10)', async () => {
  const client = await admin.pool.connect();
  const isBroken = async () =>
    (await findViolations(client)).some(({ promise }) => promise.startsWith('S10 every transition'));
  try {
    await client.query('begin');
    await client.query(`delete from events where group_id = $1 and type like 'group_payment.%'`, [
      groups['ended'],
    ]);
    expect(await isBroken()).toBe(true);
    await client.query(`set local group_ledger.ends_announced_since = '2999-01-01'`);
    expect(await isBroken()).toBe(false);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
