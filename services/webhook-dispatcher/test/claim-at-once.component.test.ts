import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { PublicEvent } from '@gp/contracts';
import { unprepared, type Queryable } from '@gp/pg';
import { eventually } from '@gp/testing';
import { uuidv7 } from 'uuidv7';
import { claimDeliveries } from '../src/db/claims.ts';
import { takeEvents, type ClaimAtOnce, type NewEvent } from '../src/db/events.ts';
import { eventHandler } from '../src/bus/event.handler.ts';
import { openReceiver, type Receiver } from './support/receiver.ts';
import { groupEvents, makeEvent, openWorld, toMessage, type World } from './support/world.ts';

let world: World;
let receiver: Receiver;
beforeAll(async () => {
  world = await openWorld();
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver?.close();
  await world?.close();
});
afterEach(async () => {
  await world.clear();
  receiver.received.length = 0;
});

const claim: ClaimAtOnce = { claimId: uuidv7(), most: 10, leaseMs: 60_000, closed: [] };
/** Takes events as the consumer does; returns the ids of the events whose deliveries were claimed. */
async function take(q: Queryable, events: readonly PublicEvent[], o: Partial<ClaimAtOnce> = {}) {
  const rows: NewEvent[] = [];
  const collect = eventHandler(async (event) => void rows.push(event));
  for (const event of events) await collect(event, toMessage(event));
  const { claims } = await takeEvents(q, rows, { ...claim, ...o });
  return claims.map(({ event_id }) => event_id);
}
const statuses = async () => (await world.deliveries()).map(({ status }) => status);
const claimRest = async () =>
  (
    await claimDeliveries(world.db, {
      claimId: uuidv7(),
      most: 100,
      leaseMs: 60_000,
      closed: [],
      allot: (ids) => ids.map(() => 10),
    })
  ).claims.map(({ event_id }) => event_id);

it('a delivery to an endpoint that waits for nothing is claimed in the commit that stores it, once', async () => {
  await world.endpoint(receiver.url);
  const event = makeEvent();
  expect(await take(world.db, [event])).toEqual([event.id]);
  expect(await take(world.db, [event])).toEqual([]);
  expect(await claimRest()).toEqual([]);
  expect(await statuses()).toEqual(['sending']);
});

it('the first of several events of a group is claimed at once and the others wait for it', async () => {
  await world.endpoint(receiver.url);
  const [first, second] = groupEvents(2) as [PublicEvent, PublicEvent];
  expect(await take(world.db, [second, first])).toEqual([first.id]);
  expect(await take(world.db, [makeEvent()])).toEqual([]);
  expect((await statuses()).toSorted()).toEqual(['pending', 'pending', 'sending']);
});

it('an event whose predecessor has not arrived is not claimed at once', async () => {
  await world.endpoint(receiver.url);
  expect(await take(world.db, groupEvents(2).slice(1))).toEqual([]);
  expect(await statuses()).toEqual(['pending']);
});

it('a full pool, a lane that is left alone, and a disabled endpoint have nothing claimed at once', async () => {
  const { id } = await world.endpoint(receiver.url);
  expect(await take(world.db, [makeEvent()], { most: 0 })).toEqual([]);
  await world.asOwner('delete from deliveries');
  expect(await take(world.db, [makeEvent()], { closed: [id] })).toEqual([]);
  await world.asOwner('delete from deliveries');
  await world.change(id, { enabled: false });
  expect(await take(world.db, [makeEvent()])).toEqual([]);
  expect(await statuses()).toEqual(['held']);
});

it('two replicas that take events for one endpoint at the same time claim one delivery at once', async () => {
  await world.endpoint(receiver.url);
  const waits = unprepared<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  let second: Promise<string[]> | undefined;
  await world.db.transaction(async (tx) => {
    expect(await take(tx, [makeEvent()])).toHaveLength(1);
    second = take(world.db, [makeEvent()]);
    await eventually(async () => (await world.db.query(waits))[0]?.n === 1 || undefined);
  });
  expect(await second).toEqual([]);
  expect((await statuses()).toSorted()).toEqual(['pending', 'sending']);
});

it('a dispatcher that rests sends what intake claimed, and closes when that is recorded', async () => {
  await world.endpoint(receiver.url);
  const { dispatch, stop } = world.dispatch({ pollIntervalMs: 5_000 });
  await world.publish(makeEvent());
  await eventually(async () => (await statuses()).every((status) => status === 'delivered') || undefined);
  dispatch.onWake?.(() => undefined);
  await world.publish(makeEvent());
  await receiver.receive(2);
  await stop();
  expect(await statuses()).toEqual(['delivered', 'delivered']);
});
