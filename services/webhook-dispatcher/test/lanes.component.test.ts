import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { unprepared } from '@gp/pg';
import { eventually } from '@gp/testing';
import { uuidv7 } from 'uuidv7';
import { claimDeliveries, type Claim } from '../src/db/claims.ts';
import { findDueLanes } from '../src/db/measures.ts';
import { recordEndedClaims, type EndedClaim } from '../src/db/ended-claims.ts';
import { ok, openReceiver, silence, status, type Receiver } from './support/receiver.ts';
import { makeEvent, openWorld, type World } from './support/world.ts';

let world: World;
const receivers: Receiver[] = [];
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());
afterEach(async () => {
  // Closed first, so that no request waits for an answer any more.
  await Promise.all(receivers.splice(0).map((each) => each.close()));
  await world.clear();
});

async function receiver(): Promise<Receiver> {
  const opened = await openReceiver();
  receivers.push(opened);
  return opened;
}
const events = (count: number, o: Parameters<typeof makeEvent>[0] = {}) =>
  Array.from({ length: count }, () => makeEvent(o));
type Wish = Omit<Parameters<typeof claimDeliveries>[1], 'allot'> & {
  computeAllowance: (id: string) => number;
};
const claim = async (wish: Partial<Wish> = {}): Promise<readonly Claim[]> => (await pass(wish)).claims;
const pass = ({ computeAllowance = () => 10, ...o }: Partial<Wish> = {}) =>
  claimDeliveries(world.db, {
    claimId: uuidv7(),
    most: 100,
    leaseMs: 60_000,
    closed: [],
    allot: (ids) => ids.map(computeAllowance),
    ...o,
  });
const delivered = (claimed: Claim): EndedClaim => ({
  claim: claimed,
  status: 'delivered',
  waitMs: null,
  attempt: {
    id: uuidv7(),
    number: claimed.tries + 1,
    isManual: false,
    url: claimed.url,
    requestHeaders: {},
    remoteAddress: null,
    timings: {},
    errorClass: null,
    httpStatus: 200,
    responseBody: '',
    outcome: 'acknowledged',
    traceId: null,
  },
});

describe('a claim', () => {
  it('a claim gives each delivery to one of several replicas', async () => {
    const { url } = await receiver();
    for (let i = 0; i < 4; i += 1) await world.endpoint(url);
    await world.publish(...events(50));
    const claimed: Claim[] = [];
    const drain = async (): Promise<void> => {
      for (let empty = 0; empty < 5;) {
        const claims = await claim({ computeAllowance: () => 1_000, most: 7 });
        claimed.push(...claims);
        empty = claims.length === 0 ? empty + 1 : 0;
      }
    };
    await Promise.all([drain(), drain(), drain()]);
    const keys = claimed.map((row) => `${row.event_id}/${row.endpoint_id}`);
    expect([keys.length, new Set(keys).size]).toEqual([200, 200]);
  });

  it('a claim respects the cap of a lane over all replicas', async () => {
    const { id } = await world.endpoint((await receiver()).url);
    await world.publish(...events(50));
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim({ computeAllowance: () => 10 })));
    expect(claims.flat()).toHaveLength(10);
    expect(await claim()).toEqual([]);
    await recordEndedClaims(world.db, claims.flat().slice(0, 3).map(delivered));
    expect((await claim()).map((row) => row.endpoint_id)).toEqual([id, id, id]);
  });

  it('a claim skips a lane that another replica is claiming from, without waiting', async () => {
    const { url } = await receiver();
    const [taken, free] = [await world.endpoint(url), await world.endpoint(url)];
    await world.publish(makeEvent());
    const lock = unprepared(`select from lanes where endpoint_id = $1 for update`);
    await world.db.transaction(async (tx) => {
      await tx.query(lock, [taken.id]);
      expect((await claim()).map((row) => row.endpoint_id)).toEqual([free.id]);
    });
    expect((await claim()).map((row) => row.endpoint_id)).toEqual([taken.id]);
  });

  it('the lanes with most due deliveries, ten at most, are shown to operators', async () => {
    const { url } = await receiver();
    const busy = await world.endpoint(url, { merchant_id: 'm4' });
    await world.publish(...events(30, { merchant_id: 'm4' }));
    for (let i = 0; i < 12; i += 1) await world.endpoint(url, { merchant_id: 'm5' });
    await world.publish(...events(2, { merchant_id: 'm5' }));
    const lanes = await findDueLanes(world.db);
    expect(lanes[0]).toEqual({ labels: { endpoint_id: busy.id }, value: 30 });
    expect(lanes.map(({ value }) => value)).toEqual([30, ...Array<number>(9).fill(2)]);
  });

  it('a claim divides the available room among lanes, whatever their backlogs', async () => {
    const { url } = await receiver();
    const busy = await world.endpoint(url, { merchant_id: 'm2' });
    const quiet = await world.endpoint(url, { merchant_id: 'm3' });
    await world.publish(...events(500, { merchant_id: 'm2' }));
    await world.publish(...events(5, { merchant_id: 'm3' }));
    const claims = await claim({ most: 10, computeAllowance: () => 100 });
    const of = (id: string) => claims.filter((row) => row.endpoint_id === id).length;
    expect([of(busy.id), of(quiet.id)]).toEqual([5, 5]);
  });

  it('a claim takes lanes in turn when there are more than it can serve', async () => {
    const { url } = await receiver();
    const ids = await Promise.all(Array.from({ length: 9 }, () => world.endpoint(url)));
    await world.publish(...events(5));
    const served: string[] = [];
    for (let pass = 0; pass < 3; pass += 1) {
      served.push(...(await claim({ most: 3 })).map((row) => row.endpoint_id));
    }
    expect(new Set(served)).toEqual(new Set(ids.map(({ id }) => id)));
  });

  it('a claim leaves a lane its turn when the lane was allowed nothing', async () => {
    const { url } = await receiver();
    const [first, second] = [await world.endpoint(url), await world.endpoint(url)];
    await world.publish(makeEvent(), makeEvent());
    const served = await claim({ computeAllowance: (id) => (id === first.id ? 0 : 1) });
    expect(served.map((row) => row.endpoint_id)).toEqual([second.id]);
    await recordEndedClaims(world.db, served.map(delivered));
    expect((await claim({ most: 1 })).map((row) => row.endpoint_id)).toEqual([first.id]);
  });

  it('a claim takes the oldest delivery of a lane first', async () => {
    await world.endpoint((await receiver()).url);
    const published = events(6);
    for (const event of published) await world.publish(event);
    const claims = await claim({ computeAllowance: () => 3 });
    expect(claims.map((row) => row.event_id).sort()).toEqual(published.slice(0, 3).map((event) => event.id));
  });

  it('a claim takes nothing from lanes that are given as closed', async () => {
    const { url } = await receiver();
    const [shut, free] = [await world.endpoint(url), await world.endpoint(url)];
    await world.publish(makeEvent());
    expect((await claim({ closed: [shut.id] })).map((row) => row.endpoint_id)).toEqual([free.id]);
  });

  it('a claim that is lost returns when its lease ends, and its worker can change nothing any more', async () => {
    await world.endpoint((await receiver()).url);
    await world.publish(makeEvent());
    const [stale] = await claim();
    expect(await claim()).toEqual([]);
    await world.hurry('sending');
    const [fresh] = await claim({ leaseMs: 1 });
    const [next] = await eventually(async () => {
      const claims = await claim();
      return claims.length > 0 ? claims : undefined;
    });
    for (const again of [fresh, next])
      expect(again).toMatchObject({ event_id: stale!.event_id, attempts: 0 });
    const isOwned = async (ended: EndedClaim) => (await recordEndedClaims(world.db, [ended]))[0]?.isOurs;
    const late = (o: Partial<EndedClaim>) => isOwned({ ...delivered(stale!), ...o });
    expect(await late({})).toBe(false);
    expect(await late({ status: 'failed' })).toBe(false);
    expect(await late({ status: 'pending', waitMs: 1 })).toBe(false);
    expect(await late({ status: 'pending', waitMs: 0, attempt: null })).toBe(false);
    expect(await world.deliveries()).toMatchObject([{ status: 'sending', attempts: 0 }]);
    expect(await isOwned(delivered(fresh!))).toBe(false);
    expect(await isOwned(delivered(next!))).toBe(true);
    expect(await world.deliveries()).toMatchObject([{ status: 'delivered', attempts: 1 }]);
    expect(await isOwned(delivered(next!))).toBe(false);
  });

  it('a pass and a recorded claim tell whether the endpoint has more that is due', async () => {
    const { url } = await receiver();
    await world.endpoint(url);
    for (const event of events(3)) await world.publish(event);
    const one = await pass({ most: 2, computeAllowance: () => 2 });
    expect([one.claims.length, one.isMoreDue]).toEqual([2, true]);
    expect(await recordEndedClaims(world.db, one.claims.slice(0, 1).map(delivered))).toEqual([
      { isOurs: true, isMoreDue: true },
    ]);
    const last = await pass();
    expect([last.claims.length, last.isMoreDue]).toEqual([1, false]);
    const rest = [...one.claims.slice(1), ...last.claims].map(delivered);
    const none = { isOurs: true, isMoreDue: false };
    expect(await recordEndedClaims(world.db, rest)).toEqual([none, none]);
    expect(await pass()).toEqual({ claims: [], isMoreDue: false });
  });

  it('a delivery that is given back is due at once', async () => {
    const { url } = await receiver();
    await world.endpoint(url);
    for (const event of events(1)) await world.publish(event);
    const back = (await claim()).map(
      (one) => ({ ...delivered(one), status: 'pending', waitMs: 0, attempt: null }) as const,
    );
    expect(await recordEndedClaims(world.db, back)).toEqual([{ isOurs: true, isMoreDue: true }]);
  });

  it('a claim sees events that arrive while others are being claimed', async () => {
    const { url } = await receiver();
    await world.endpoint(url);
    const published = events(300);
    let claimed = 0;
    const publishing = (async () => {
      for (const event of published) await world.publish(event);
    })();
    await eventually(async () => {
      const claims = await claim({ computeAllowance: () => 1_000 });
      await recordEndedClaims(world.db, claims.map(delivered));
      claimed += claims.length;
      return claimed === published.length || undefined;
    });
    await publishing;
    expect(await claim()).toEqual([]);
  });
});

describe('an endpoint that hangs', () => {
  it('an endpoint that hangs delays no other, however much is due for it (F5)', async () => {
    const hole = await receiver();
    hole.answer(silence);
    const healthy = await Promise.all(Array.from({ length: 9 }, receiver));
    const { id } = await world.endpoint(hole.url, { merchant_id: 'hole' });
    for (const { url } of healthy) await world.endpoint(url);
    await world.publish(...events(2_000, { merchant_id: 'hole' }));
    world.dispatch({ maxInFlight: 40 });
    await hole.receive(2);
    for (let round = 0; round < 5; round += 1) {
      await world.publish(...events(20));
      await Promise.all(healthy.map((each) => each.receive(20 * (round + 1))));
    }
    const rows = (await world.deliveries()).filter((row) => row.endpoint_id === id);
    expect(hole.open.most).toBeLessThanOrEqual(10);
    expect(rows.filter((row) => row.status === 'sending').length).toBeLessThanOrEqual(10);
    expect(rows).toHaveLength(2_000);
  });

  it('more hanging endpoints than the pool holds delay no endpoint that replies (F5)', async () => {
    const hole = await openReceiver();
    hole.answer(silence);
    const healthy = await Promise.all(Array.from({ length: 5 }, receiver));
    for (const { url } of healthy) await world.endpoint(url);
    const hanging = await Promise.all(
      Array.from({ length: 60 }, () => world.endpoint(hole.url, { merchant_id: 'hole' })),
    );
    // Nothing that hangs ends before the test does.
    world.dispatch({ deadlineMs: 300_000, leaseMs: 400_000, maxInFlight: 40 });
    await world.publish(makeEvent());
    await Promise.all(healthy.map((each) => each.receive(1)));
    await world.publish(...events(5, { merchant_id: 'hole' }));
    await hole.receive(20);
    for (let round = 1; round <= 10; round += 1) {
      await world.publish(...events(10));
      await Promise.all(healthy.map((each) => each.receive(1 + 10 * round)));
    }
    const ids = new Set(hanging.map(({ id }) => id));
    const [hung, fine] = [true, false].map((is) =>
      world.deliveries().then((rows) => rows.filter((row) => ids.has(row.endpoint_id) === is)),
    );
    expect((await hung!).filter((row) => row.attempts > 0)).toEqual([]);
    expect(await fine!).toHaveLength(505);
    await hole.close();
  });

  it('an endpoint that hangs is paused after five failures; waiting deliveries lose no attempt and go out on its return (F5)', async () => {
    const shaky = await receiver();
    shaky.answer((response) => void response.destroy());
    await world.endpoint(shaky.url);
    await world.publish(...events(40));
    const lanePolicy = { openAfter: 5, pauseMs: 4_000, longestPauseMs: 4_000 };
    world.dispatch({ retryLadderMs: '1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1', lanePolicy });
    await shaky.receive(5);
    const early = await eventually(async () => {
      const rows = await world.deliveries();
      return rows.every((row) => row.status === 'pending') ? rows : undefined;
    });
    const attempts = early.reduce((sum, row) => sum + row.attempts, 0);
    // Two at a time until the fifth: one more may have been under way.
    expect(attempts).toBeLessThanOrEqual(6);
    expect(early.filter((row) => row.attempts === 0).length).toBeGreaterThanOrEqual(34);
    shaky.answer(ok);
    await eventually(
      async () => (await world.deliveries()).every((row) => row.status === 'delivered') || undefined,
    );
  });

  it('an endpoint that returns errors is not paused', async () => {
    const grumpy = await receiver();
    grumpy.answer(status(500));
    await world.endpoint(grumpy.url);
    await world.publish(...events(10));
    world.dispatch({ lanePolicy: { openAfter: 3, pauseMs: 60_000, longestPauseMs: 60_000 } });
    await eventually(
      async () => (await world.deliveries()).every((row) => row.status === 'failed') || undefined,
    );
    expect(grumpy.received).toHaveLength(70);
  });
});

describe('two dispatchers', () => {
  it('two dispatchers share the work, and no delivery is sent twice', async () => {
    const targets = await Promise.all(Array.from({ length: 4 }, receiver));
    for (const { url } of targets) await world.endpoint(url);
    world.dispatch();
    world.dispatch();
    const published = events(150);
    for (let at = 0; at < published.length; at += 10) await world.publish(...published.slice(at, at + 10));
    await Promise.all(targets.map((each) => each.receive(150)));
    await eventually(
      async () => (await world.deliveries()).every((row) => row.status === 'delivered') || undefined,
    );
    for (const { received } of targets) {
      expect(new Set(received.map((request) => request.event.id)).size).toBe(received.length);
    }
    expect(await world.attempts()).toHaveLength(600);
  });
});

describe('a dispatcher that stops', () => {
  it('a dispatcher that stops waits for requests in flight and leaves no claim behind', async () => {
    const slow = await receiver();
    slow.answer((response) => void setTimeout(() => response.end(), 300));
    await world.endpoint(slow.url);
    await world.publish(...events(30));
    const running = world.dispatch();
    await slow.receive(1);
    await running.stop();
    const rows = await world.deliveries();
    expect(rows.filter((row) => row.status === 'sending')).toEqual([]);
    expect(rows.filter((row) => row.status === 'delivered')).toHaveLength(slow.received.length);
  });
});
