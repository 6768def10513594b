import { describe, expect, it } from '@jest/globals';
import type { PublicEvent } from '@gp/contracts';
import { updateGroup } from '../src/app/groups/update-group.ts';
import type { Replica } from './harness.ts';
import { digest, dueTimer, scope, settleAll, useLedger } from './harness.ts';
import { heldGroup, paidGroup } from './groups.ts';

const ledger = useLedger();
const HOUR_MS = 3_600_000;
let number = 0;

type Changes = Omit<
  Parameters<ReturnType<typeof updateGroup>>[0],
  'merchant_id' | 'mode' | 'command_id' | 'fingerprint' | 'group_id' | 'actor'
>;
const request = (group_id: string, changes: Changes, id = digest(`update ${number++}`)) => ({
  ...scope,
  group_id,
  command_id: id,
  fingerprint: digest(JSON.stringify(changes)),
  actor: 'merchant',
  ...changes,
});
const update = (id: string, changes: Changes, by: Pick<Replica, 'parts'> = ledger) =>
  updateGroup(by.parts)(request(id, changes));
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();
const listUpdates = async (id: string) =>
  await ledger.listMessages<PublicEvent>(id, 'evt.ledger.group_payment.updated.%');

describe('an update of a group', () => {
  it('name, metadata and expiry change together, are shown, and are announced once as they are now (C9)', async () => {
    const { group } = await ledger.newGroup({ metadata: { table: 1 } });
    const expires_at = inHours(30);
    const shown = await update(group.id, {
      group_name: 'Lunch',
      metadata: { table: '7', vip: true },
      expires_at,
    });
    expect(shown.group).toMatchObject({
      group_name: 'Lunch',
      metadata: { table: '7', vip: true },
      expires_at,
      state: 'open',
    });
    expect(shown.group.version).toBeGreaterThan(group.version);
    const [event, ...more] = await listUpdates(group.id);
    expect(more).toEqual([]);
    expect(event?.data).toEqual({
      group_payment_id: group.id,
      state: 'open',
      is_test_mode: true,
      client_reference: null,
      sequence: 1,
      occurred_at: event?.created,
      group_name: 'Lunch',
      expires_at,
      currency: 'EUR',
      amount_captured: 0,
      amount_refunded: 0,
      merchant_order_id: group.merchant_order_id,
      metadata: { table: '7', vip: true },
    });
    const timers = (await ledger.timers(group.id)).filter(({ key }) => key === `expiry:${group.id}`);
    expect(timers.map(({ timer }) => timer?.due_at)).toEqual([group.expires_at, expires_at]);
    expect(timers[1]?.revision).toBeGreaterThan(timers[0]?.revision ?? Infinity);
  });

  it('fields that are not named stay as they are, and empty metadata removes all of it (C9)', async () => {
    const { group } = await ledger.newGroup({ metadata: { table: 1 } });
    expect((await update(group.id, { group_name: 'Lunch' })).group).toMatchObject({
      metadata: { table: 1 },
      expires_at: group.expires_at,
    });
    const { group: bare } = await update(group.id, { metadata: {} });
    expect(bare).toMatchObject({ group_name: 'Lunch', metadata: {} });
    const found = await ledger.find({ ...scope, group_id: group.id });
    expect(found.group).toEqual(bare);
  });

  it('a repeated update has its effect once, and its id with other changes is refused (Q12, C9)', async () => {
    const { group } = await ledger.newGroup();
    const asked = request(group.id, { group_name: 'Lunch' });
    const run = updateGroup(ledger.parts);
    const first = await run(asked);
    await update(group.id, { group_name: 'Supper' });
    expect((await run(asked)).group).toMatchObject({ group_name: 'Supper' });
    expect(await listUpdates(group.id)).toHaveLength(2);
    expect(first.group.group_name).toBe('Lunch');
    await expect(run({ ...asked, fingerprint: digest('x') })).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
  });

  it('an update to what is there already writes nothing and announces nothing (C9)', async () => {
    const { group } = await ledger.newGroup({ metadata: { a: 1, b: [2] } });
    const { group_name, expires_at } = group;
    const same = await update(group.id, { group_name, expires_at, metadata: { b: [2], a: 1 } });
    expect(same.group).toEqual(group);
    expect(await listUpdates(group.id)).toEqual([]);
  });

  it('a paid group takes a new name and no new expiry, and nothing of an update that is refused is written (C9)', async () => {
    const { id } = await paidGroup(ledger);
    const both = { group_name: 'Too late', expires_at: inHours(9) };
    await expect(update(id, both)).rejects.toMatchObject({ code: 'group_not_payable' });
    expect((await update(id, { metadata: { invoice: 'R-1' } })).group).toMatchObject({
      state: 'paid',
      group_name: 'Dinner',
      metadata: { invoice: 'R-1' },
    });
  });

  it('an expiry that is earlier, or more than seven days after the creation, is refused with the limit (C9)', async () => {
    const { group } = await ledger.newGroup();
    for (const expires_at of [
      inHours(0.5),
      new Date(Date.parse(group.created_at) + 168 * HOUR_MS + 1).toISOString(),
    ])
      await expect(update(group.id, { expires_at })).rejects.toMatchObject({
        code: 'validation_error',
        data: { param: 'expires_at' },
      });
  });

  it('a group of another merchant or mode is a 404 and stays as it is (S9)', async () => {
    const { group } = await ledger.newGroup();
    for (const other of [{ merchant_id: 'm2' }, { mode: 'live' as const }]) {
      const foreign = { ...request(group.id, { group_name: 'Mine' }), ...other };
      await expect(updateGroup(ledger.parts)(foreign)).rejects.toMatchObject({ code: 'not_found' });
    }
    expect((await ledger.find({ ...scope, group_id: group.id })).group).toEqual(group);
  });
});

describe('an update that meets the expiry', () => {
  it('an update is refused when the expiry is over, and the group is expired with its holds released (C2, C9)', async () => {
    const { id } = await heldGroup(ledger, { except: 1 });
    await ledger.passExpiry(id);
    await expect(update(id, { expires_at: inHours(9), group_name: 'Late' })).rejects.toMatchObject({
      code: 'group_expired',
    });
    expect(await ledger.readState(id)).toBe('expired');
    expect((await ledger.find({ ...scope, group_id: id })).group.group_name).toBe('Dinner');
    expect(await listUpdates(id)).toEqual([]);
  });

  it('an update and an expiry in two processes at once leave a group that is expired or goes on, never both (C1, C9)', async () => {
    const other = await ledger.replica();
    // They expire one after another, from an instant on by which a slow machine has created them all.
    const firstMs = Date.now() + 2_000;
    const groups = await Promise.all(
      Array.from({ length: 12 }, (_, round) =>
        ledger.newGroup({ expires_at: new Date(firstMs + round * 50).toISOString() }),
      ),
    );
    for (const { group } of groups) {
      const soon = group.expires_at;
      const wait = () => new Promise((resolve) => setTimeout(resolve, Date.parse(soon) - Date.now()));
      const later = wait().then(() => update(group.id, { expires_at: inHours(2) }, other));
      const fired = wait().then(() => ledger.fire(...dueTimer('group_expiry', group.id)));
      const { codes } = await settleAll<unknown>([later, fired]);
      const { group: now } = await ledger.find({ ...scope, group_id: group.id });
      const isExpired = now.state === 'expired';
      expect(codes).toEqual(isExpired ? ['group_expired'] : []);
      expect(now.expires_at === soon).toBe(isExpired);
      expect(await listUpdates(group.id)).toHaveLength(isExpired ? 0 : 1);
    }
  });

  it('a timer of the old expiry sets itself again and expires nothing (C9)', async () => {
    const { group } = await ledger.newGroup({ expires_at: new Date(Date.now() + 1_500).toISOString() });
    const expires_at = inHours(2);
    await update(group.id, { expires_at });
    await new Promise((resolve) =>
      setTimeout(resolve, Math.max(0, Date.parse(group.expires_at) - Date.now() + 5)),
    );
    await ledger.fire(...dueTimer('group_expiry', group.id));
    expect(await ledger.readState(group.id)).toBe('open');
    expect((await ledger.timers(group.id)).at(-1)?.timer?.due_at).toBe(expires_at);
  });
});
