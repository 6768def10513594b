import { describe, expect, it } from '@jest/globals';
import { declineGuard } from './decline-guard.ts';

const MINUTE = 60_000;
const times = { windowMs: 10 * MINUTE, blockMs: 15 * MINUTE };
const rules = {
  group: { most: 5, ...times },
  client: { most: 10, ...times },
  payer: { most: 3, ...times },
  visitor: { most: 2, ...times },
};

/** A guard whose clock a test moves. */
function guarded() {
  const clock = { ms: 1_000_000 };
  const guard = declineGuard(rules, () => clock.ms);
  let number = 0;
  const decline = (groupId: string, intentId = 'i') =>
    guard.declined({ id: `e${number++}`, groupId, intentId });
  const blocked = (groupId: string, client?: string) => guard.blockedSeconds({ groupId, client });
  return { clock, ...guard, decline, blocked };
}
const repeat = (times_: number, work: (n: number) => void) =>
  Array.from({ length: times_ }).forEach((_, n) => work(n));

describe('the card-testing guard (Q11)', () => {
  it('the card-testing guard blocks a group with its fifth decline in ten minutes, for fifteen (Q11)', () => {
    const { clock, decline, blocked } = guarded();
    repeat(4, () => decline('g'));
    expect(blocked('g')).toBe(0);
    clock.ms += 9 * MINUTE;
    decline('g');
    expect(blocked('g')).toBe(15 * 60);
    expect(blocked('h')).toBe(0);
    clock.ms += 15 * MINUTE - 1;
    expect(blocked('g')).toBeGreaterThan(0);
    clock.ms += 1;
    expect(blocked('g')).toBe(0);
  });

  it('declines spread wider than the window block nobody', () => {
    const { clock, decline, blocked } = guarded();
    repeat(20, () => {
      decline('g');
      clock.ms += 2.5 * MINUTE;
    });
    expect(blocked('g')).toBe(0);
  });

  it('a decline that is received twice counts once', () => {
    const { declined, blocked } = guarded();
    repeat(9, () => declined({ id: 'same', groupId: 'g', intentId: 'i' }));
    expect(blocked('g')).toBe(0);
  });

  it('the card-testing guard blocks a client with ten declines, whatever the groups; others pay on (Q11)', () => {
    const { madeFrom, decline, blocked } = guarded();
    repeat(10, (n) => {
      madeFrom({ client: 'eve' }, `i${n}`);
      madeFrom({ client: 'ann' }, `j${n}`);
      decline(`g${n}`, `i${n}`);
    });
    expect(blocked('fresh', 'eve')).toBe(15 * 60);
    expect(blocked('fresh', 'ann')).toBe(0);
    expect(blocked('fresh')).toBe(0);
  });

  it('a payer is blocked before the address, and the address before the group: others pay on (X7)', () => {
    const guard = declineGuard({ ...rules, group: { most: 50, ...times } }, () => 0);
    let number = 0;
    const decline = (client: string, payer: string) => {
      const intentId = `i${number++}`;
      guard.madeFrom({ client, payer }, intentId);
      guard.declined({ id: `e${intentId}`, groupId: 'g', intentId });
    };
    const isBlocked = (client: string, payer: string) =>
      guard.blockedSeconds({ groupId: 'g', client, payer }) > 0;
    repeat(3, () => decline('eve', 'eve1'));
    expect([isBlocked('eve', 'eve1'), isBlocked('eve', 'eve2'), isBlocked('ann', 'ann')]).toEqual([
      true,
      false,
      false,
    ]);
    repeat(7, (n) => decline('eve', `invented${n}`));
    expect([isBlocked('eve', 'fresh'), isBlocked('ann', 'ann')]).toEqual([true, false]);
    repeat(40, (n) => decline(`address${n}`, `payer${n}`));
    expect(isBlocked('ann', 'ann')).toBe(true);
  });

  it('declines that go on prolong the block', () => {
    const { clock, decline, blocked } = guarded();
    repeat(5, () => decline('g'));
    clock.ms += 5 * MINUTE;
    decline('g');
    expect(blocked('g')).toBe(15 * 60);
  });
});

describe('among replicas', () => {
  it('a client is known to the replica that served it, and its declines to all', () => {
    const [a, b] = [guarded(), guarded()];
    b.clock.ms = 77;
    repeat(10, (n) => {
      a.madeFrom({ client: 'eve' }, `i${n}`);
      a.decline(`g${n}`, `i${n}`);
    });
    const report = a.collect();
    b.merge(report);
    b.merge(report);
    expect(b.blocked('fresh', 'eve')).toBe(15 * 60);
    expect(a.collect().declines).toEqual([]);
  });

  it('a new replica gets the blocks, and the declines on the way to one', () => {
    const [old, young] = [guarded(), guarded()];
    repeat(5, () => old.decline('blocked'));
    repeat(4, () => old.decline('nearly'));
    old.clock.ms += 6 * MINUTE;
    young.clock.ms = 5;
    young.merge(old.collectAll());
    expect(young.blocked('blocked')).toBeCloseTo(9 * 60, 3);
    expect(young.blocked('nearly')).toBe(0);
    young.declined({ id: 'one more', groupId: 'nearly', intentId: 'i' });
    expect(young.blocked('nearly')).toBeGreaterThan(0);
  });
});

it('declines in many groups cost no memory beyond a bound', () => {
  const { decline, collectAll } = guarded();
  repeat(30_000, (n) => decline(`g${n}`));
  expect(collectAll().declines).toHaveLength(10_000);
});

describe('reservations that a client lets end', () => {
  it('stop that client from starting payments of that group, after as many as are allowed; nobody else (X14)', () => {
    const { guard, clock } = abandoning();
    for (const intentId of ['i1', 'i2'])
      guard.madeFrom({ client: 'eve', payer: intentId, groupId: 'g' }, intentId);
    guard.madeFrom({ client: 'ann', groupId: 'g' }, 'j');
    guard.abandoned({ id: 'e1', intentId: 'i1' });
    guard.abandoned({ id: 'e1', intentId: 'i1' });
    guard.abandoned({ id: 'e2', intentId: 'j' });
    expect(guard.abandonedSeconds({ groupId: 'g', client: 'eve' })).toBe(0);
    guard.abandoned({ id: 'e3', intentId: 'i2' });
    expect(guard.abandonedSeconds({ groupId: 'g', client: 'eve' })).toBe(15 * 60);
    for (const other of [
      { groupId: 'g', client: 'ann' },
      { groupId: 'h', client: 'eve' },
      { groupId: 'g', client: undefined },
    ])
      expect(guard.abandonedSeconds(other)).toBe(0);
    expect(guard.blockedSeconds({ groupId: 'g', client: 'eve', payer: 'i1' })).toBe(0);
    clock.ms += 15 * MINUTE;
    expect(guard.abandonedSeconds({ groupId: 'g', client: 'eve' })).toBe(0);
  });

  it('abandoned reservations do not count as declines, and declines do not count as abandoned reservations (X7, X14)', () => {
    const { guard } = abandoning();
    for (const n of [1, 2, 3]) {
      guard.madeFrom({ client: 'eve', payer: 'p', groupId: 'g' }, `i${n}`);
      guard.declined({ id: `d${n}`, groupId: 'g', intentId: `i${n}` });
    }
    expect(guard.abandonedSeconds({ groupId: 'g', client: 'eve' })).toBe(0);
    expect(guard.blockedSeconds({ groupId: 'g', client: 'eve', payer: 'p' })).toBe(15 * 60);
  });

  it('abandoned reservations are known to a replica that started later (X14)', () => {
    const { guard } = abandoning();
    const late = abandoning().guard;
    for (const n of [1, 2]) {
      guard.madeFrom({ client: 'eve', groupId: 'g' }, `i${n}`);
      guard.abandoned({ id: `e${n}`, intentId: `i${n}` });
    }
    late.merge(guard.collectAll());
    expect(late.abandonedSeconds({ groupId: 'g', client: 'eve' })).toBe(15 * 60);
  });
});

function abandoning() {
  const clock = { ms: 1_000_000 };
  return { clock, guard: declineGuard(rules, () => clock.ms) };
}
