import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ListPosition, PublicEvent } from '@gp/contracts';
import { eventually } from '@gp/testing';
import { eventHandler } from '../src/bus/event.handler.ts';
import { takeEvents } from '../src/db/events.ts';
import { openReceiver, status } from './support/receiver.ts';
import { makeEvent, groupEvents, openWorld, scope, toMessage, type World } from './support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());
afterEach(() => world.clear());

type Filter = Omit<Parameters<World['manage']['events']>[0], 'merchant_id' | 'mode' | 'limit'>;
const ids = async (filter: Filter = {}, limit = 100): Promise<string[]> =>
  (await world.manage.events({ ...scope, limit, ...filter })).events.map((event) => event.id);
const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();
const sent = ({ id, type, created, data }: PublicEvent) => ({ id, type, created, data });

describe('the events of a merchant', () => {
  it('the events of a merchant are kept without an endpoint, too, as they would have been sent', async () => {
    const event = makeEvent({ data: { text: 'ünïcødé 🍕', amount: 33.34, nested: { a: [1, null] } } });
    await world.publish(event);
    expect(await world.manage.event({ ...scope, id: event.id })).toEqual(sent(event));
    const { events } = await world.manage.events({ ...scope, limit: 1 });
    const { rows } = await world.db.pool.query<{ payload: string }>('select payload from events');
    expect(JSON.stringify(events[0])).toBe(rows[0]!.payload);
  });

  it('the events of a merchant are those of one merchant and one mode (Q18)', async () => {
    const event = makeEvent();
    await world.publish(event, makeEvent({ merchant_id: 'm2' }), makeEvent({ mode: 'live' }));
    expect(await ids()).toEqual([event.id]);
    for (const other of [{ merchant_id: 'm2' }, { mode: 'live' as const }])
      await expect(world.manage.event({ ...scope, ...other, id: event.id })).rejects.toMatchObject({
        code: 'not_found',
        message: 'event not found',
      });
  });

  it('the events of a merchant come newest first, filtered by type, group and time, both bounds included', async () => {
    const group = groupEvents(3);
    const other = makeEvent({ type: 'payment_intent.failed' });
    const published = [...group, other].map((event, index) => ({ ...event, created: at(index) }));
    await world.publish(...published);
    const [a, b, c, d] = published.map((event) => event.id);
    expect(await ids()).toEqual([d, c, b, a]);
    expect(await ids({ group_payment_id: group[0]!.group_id })).toEqual([c, b, a]);
    expect(await ids({ type: 'payment_intent.failed' })).toEqual([d]);
    expect(await ids({ created_after: at(1), created_before: at(2) })).toEqual([c, b]);
    expect(await ids({ type: 'payment_intent.failed', created_before: at(2) })).toEqual([]);
  });

  it('a client that asks from the newest creation it has seen misses no event that arrives late (F14)', async () => {
    const late = makeEvent({ created: at(2) });
    const first = makeEvent({ created: at(5) });
    await world.publish(first);
    expect(await ids({ created_after: at(0) })).toEqual([first.id]);
    await world.publish(late);
    expect((await ids({ created_after: first.created })).toSorted()).toEqual([late.id, first.id].toSorted());
    expect(await ids({ created_after: at(2), created_before: at(5) })).toEqual([first.id, late.id]);
    expect(await ids({ created_after: at(3), created_before: at(5) })).toEqual([first.id]);
  });

  it('events are listed in the order in which they become visible, also where a clock goes back (F14)', async () => {
    const ahead = makeEvent({ created: new Date(Date.now() + 3_600_000).toISOString() });
    const [slow, quick] = [makeEvent(), makeEvent()];
    await world.publish(ahead);
    const { promise: isStored, resolve: stored } = Promise.withResolvers<void>();
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
    const taking = world.db.transaction(async (tx) => {
      await eventHandler(async (event) => void (await takeEvents(tx, [event])))(slow, toMessage(slow));
      stored();
      await mayCommit;
    });
    await isStored;
    let isQuickStored = false;
    const publishing = world.publish(quick).then(() => (isQuickStored = true));
    await eventually(async () => {
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      return (await world.db.pool.query(waiting)).rowCount || undefined;
    });
    expect([isQuickStored, await ids()]).toEqual([false, [ahead.id]]);
    commit();
    await Promise.all([taking, publishing]);
    expect(await ids({ created_after: ahead.created })).toEqual([quick, slow, ahead].map(({ id }) => id));
  });

  it('the events of a merchant are paged, each event once, also where many have one time', async () => {
    const published = Array.from({ length: 11 }, () => makeEvent({ created: at(7) }));
    await world.publish(...published);
    const found: string[] = [];
    for (let after: ListPosition | null | undefined; after !== null;) {
      const page = await world.manage.events({ ...scope, limit: 4, ...(after && { after }) });
      found.push(...page.events.map((event) => event.id));
      after = page.next;
      await world.publish(makeEvent());
    }
    expect(found.toSorted().reverse()).toEqual(found);
    expect(new Set(found)).toEqual(new Set(published.map((event) => event.id)));
  });

  it('the missed events of a merchant are those that some endpoint did not accept, or that had no endpoint', async () => {
    const [good, bad] = [await openReceiver(), await openReceiver()];
    bad.answer(status(500));
    const forNobody = makeEvent();
    await world.publish(forNobody);
    await world.endpoint(good.url);
    await world.endpoint(bad.url, { event_types: ['payment_intent.failed'] });
    const [taken, missed] = [makeEvent(), makeEvent({ type: 'payment_intent.failed' })];
    world.dispatch({ retryLadderMs: '1' });
    await world.publish(taken, missed);
    await eventually(
      async () =>
        (await world.deliveries()).every(({ status: is }) => ['delivered', 'failed'].includes(is)) ||
        undefined,
    );
    expect(await ids({ delivered: true })).toEqual([taken.id]);
    expect((await ids({ delivered: false })).toSorted()).toEqual([forNobody.id, missed.id].toSorted());
    await Promise.all([good.close(), bad.close()]);
  });
});
