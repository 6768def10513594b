import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { PublicEvent } from '@gp/contracts';
import { unprepared, type Queryable } from '@gp/pg';
import { eventually } from '@gp/testing';
import { uuidv7 } from 'uuidv7';
import { claimDeliveries } from '../src/db/claims.ts';
import { takeEvents, type ClaimAtOnce, type NewEvent } from '../src/db/events.ts';
import { eventHandler } from '../src/bus/event.handler.ts';
import { ok, openReceiver, type Receiver } from './support/receiver.ts';
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

const claim: ClaimAtOnce = { claimId: uuidv7(), most: 10, leaseMs: 60_000, closed: [], held: [] };
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

it('events of one group that come together are claimed at once, those of another group and later ones wait', async () => {
  await world.endpoint(receiver.url);
  const [first, second, third] = groupEvents(3) as [PublicEvent, PublicEvent, PublicEvent];
  const other = makeEvent({ sequence: 2 });
  expect(await take(world.db, [second, other, first])).toEqual([first.id, second.id]);
  await world.asOwner(`delete from deliveries where status = 'pending'`);
  await world.asOwner(`update lanes set due_at = 'infinity'`);
  expect(await take(world.db, [third])).toEqual([]);
  expect((await statuses()).toSorted()).toEqual(['pending', 'sending', 'sending']);
});

it('a delivery is claimed at once while the process has the only open ones of its lane in hand', async () => {
  await world.endpoint(receiver.url);
  const [first, second] = groupEvents(2) as [PublicEvent, PublicEvent];
  expect(await take(world.db, [first])).toEqual([first.id]);
  expect(await take(world.db, [second], { held: [claim.claimId] })).toEqual([second.id]);
});

it('deliveries of a group that are taken one by one leave one after the other (F3)', async () => {
  await world.endpoint(receiver.url);
  world.dispatch({ pollIntervalMs: 5_000 });
  await world.publish(makeEvent());
  await eventually(async () => (await statuses()).every((status) => status === 'delivered') || undefined);
  const waiting: (() => void)[] = [];
  receiver.answer((response) => void waiting.push(() => response.writeHead(200).end()));
  const events = groupEvents(3);
  for (const event of events) await world.publish(event);
  expect((await statuses()).filter((status) => status === 'sending')).toHaveLength(3);
  for (let n = 1; n <= 3; n++) {
    await receiver.receive(1 + n);
    expect(receiver.open.now).toBe(1);
    waiting.shift()?.();
  }
  expect(receiver.received.slice(1).map(({ event }) => event.id)).toEqual(events.map(({ id }) => id));
  receiver.answer(ok);
});

it('deliveries of a group that are claimed together leave one after the other (F3)', async () => {
  await world.endpoint(receiver.url);
  world.dispatch({ pollIntervalMs: 5_000 });
  await world.publish(makeEvent());
  await eventually(async () => (await statuses()).every((status) => status === 'delivered') || undefined);
  const events = groupEvents(4);
  await world.publish(...events.toReversed());
  await receiver.receive(5);
  expect(receiver.received.slice(1).map(({ event }) => event.id)).toEqual(events.map(({ id }) => id));
  expect(receiver.open.most).toBe(1);
});

it('a claimed delivery leaves after two seconds although the one before it hangs, and none does once the lane has opened', async () => {
  await world.endpoint(receiver.url);
  const { stop } = world.dispatch({ pollIntervalMs: 5_000, lanePolicy: { openAfter: 1 } });
  await world.publish(makeEvent());
  await eventually(async () => (await statuses()).every((status) => status === 'delivered') || undefined);
  const hanging: (() => void)[] = [];
  receiver.answer((response) => void hanging.push(() => response.destroy()));
  const events = groupEvents(3);
  await world.publish(...events);
  await receiver.receive(3);
  receiver.answer((response) => void response.destroy());
  hanging.forEach((end) => end());
  await stop();
  receiver.answer(ok);
  expect(receiver.received[2]?.event.id).toBe(events[1]?.id);
  expect(receiver.received.map(({ event }) => event.id)).not.toContain(events[2]?.id);
  expect((await statuses()).toSorted()).toEqual(['delivered', 'pending', 'pending', 'pending']);
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
