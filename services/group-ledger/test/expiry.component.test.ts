import { describe, expect, it } from '@jest/globals';
import { answerAll, authorised, listOrders } from './gateway.ts';
import { heldGroup } from './groups.ts';
import { dueTimer, reserveRequest, scope, useLedger, type Replica } from './harness.ts';

const ledger = useLedger();

describe('an expired group', () => {
  it('an expired group charges nobody: every hold is released, every slot closed (C1)', async () => {
    const { id } = await heldGroup(ledger, { except: 1 });
    await ledger.passExpiry(id);
    await ledger.fire(...dueTimer('group_expiry', id));
    const shown = await ledger.find({ ...scope, group_id: id });
    expect([shown.group.state, ...shown.slots.map((slot) => slot.state)]).toEqual([
      'expired',
      'expired',
      'expired',
      'expired',
    ]);
    expect(await listOrders(ledger, id, 'void')).toHaveLength(2);
    await answerAll(ledger, id, 'void', 'voided');
    expect(await ledger.rows('select distinct state from intents where group_id = $1', [id])).toEqual([
      { state: 'voided' },
    ]);
  });

  it('a group is expired by the timer, by a payer or by an outcome, once', async () => {
    const { id, payers } = await heldGroup(ledger, { except: 1 });
    await ledger.passExpiry(id);
    await Promise.allSettled([
      ledger.fire(...dueTimer('group_expiry', id)),
      ledger.reserve(reserveRequest(id, 'late@example.com')),
      ledger.record(authorised(payers[0]!)),
      ledger.cancel({
        ...scope,
        group_id: id,
        actor: 'operator',
        command_id: 'a'.repeat(64),
        fingerprint: 'a'.repeat(64),
      }),
    ]);
    const expiries = await ledger.count(
      `transitions where group_id = $1 and entity = 'group' and state_to = 'expired'`,
      [id],
    );
    expect([await ledger.readState(id), expiries]).toEqual(['expired', 1]);
  });

  it('a group does not expire by a timer that fires too early: the timer is set again', async () => {
    const { group } = await ledger.newGroup();
    await ledger.fire(...dueTimer('group_expiry', group.id));
    expect(await ledger.readState(group.id)).toBe('open');
    const timers = await ledger.timers(group.id);
    expect(timers.map(({ timer }) => timer?.due_at)).toEqual([group.expires_at, group.expires_at]);
    expect(timers[1]!.revision).toBeGreaterThan(timers[0]!.revision);
  });
});

/** One group whose last hold and whose expiry meet, in processes of their own; returns the resulting world. */
async function race(other: Replica, o: { first: 'hold' | 'expiry'; expiresInMs: number }) {
  const { id, slots } = await heldGroup(ledger, { except: 1 });
  const last = await ledger.reserve(reserveRequest(id, 'last@example.com', [slots[2]!.id]));
  await ledger.db.pool.query(
    `update groups set expires_at = clock_timestamp() + ($2 || ' ms')::interval where id = $1`,
    [id, o.expiresInMs],
  );
  const acts = [() => ledger.record(authorised(last)), () => other.fire(...dueTimer('group_expiry', id))];
  await Promise.all((o.first === 'hold' ? acts : acts.toReversed()).map((act) => act()));
  const [captures, voids] = [await listOrders(ledger, id, 'capture'), await listOrders(ledger, id, 'void')];
  return { state: await ledger.readState(id), captures: captures.length, voids: voids.length };
}

describe('the last hold against the expiry', () => {
  it('the last hold at the expiry leads to one of two results, sixty times: all captured or all released (C1, R7)', async () => {
    const other = await ledger.replica();
    const worlds = { capturing: 0, expired: 0 };
    // Searches for the instant at which either may win, at any pace of this machine.
    let expiresInMs = 10;
    for (let round = 0; round < 60; round++) {
      const world = await race(other, { first: round % 2 ? 'hold' : 'expiry', expiresInMs });
      const isCaptured = world.state === 'capturing';
      expect(world).toEqual(
        isCaptured
          ? { state: 'capturing', captures: 3, voids: 0 }
          : { state: 'expired', captures: 0, voids: 3 },
      );
      worlds[isCaptured ? 'capturing' : 'expired'] += 1;
      expiresInMs *= isCaptured ? 0.7 : 1.4;
    }
    expect(Math.min(worlds.capturing, worlds.expired)).toBeGreaterThan(10);
  });
});
