import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ListPosition } from '@gp/contracts';
import { makeEvent, openWorld, scope, type World } from './support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());
afterEach(() => world.clear());

const follow = (after: ListPosition | null, limit = 100) => world.manage.follow({ ...scope, after, limit });
const followFrom = async (id?: string) => {
  const { after } = await world.manage.locate({ ...scope, ...(id !== undefined && { id }) });
  return (await follow(after)).events.map((event) => event.id);
};
/** Publishes one event and waits until it is visible, so that it shares no commit. */
const publishOne = async (o: Parameters<typeof makeEvent>[0] = {}) => {
  const event = makeEvent(o);
  await world.publish(event);
  return event.id;
};

describe('the events after a place', () => {
  it('the events after a place are those that arrived later, oldest first, each once', async () => {
    const ids = [await publishOne(), await publishOne(), await publishOne(), await publishOne()];
    const seen: string[] = [];
    for (let after: ListPosition | null = null; ;) {
      const { events, next } = await follow(after, 3);
      seen.push(...events.map((event) => event.id));
      if (events.length === 0) break;
      after = next;
    }
    expect(seen).toEqual(ids);
    expect(await followFrom(ids[1])).toEqual(ids.slice(2));
  });

  it('a stream that begins now gets only what arrives from now on, the first event of a merchant included', async () => {
    const empty = await world.manage.locate(scope);
    expect(empty).toEqual({ after: null });
    const first = await publishOne();
    expect((await follow(empty.after)).events).toMatchObject([{ id: first }]);
    const { after } = await world.manage.locate(scope);
    expect(await follow(after)).toEqual({ events: [], next: after });
    const second = await publishOne();
    expect((await follow(after)).events).toMatchObject([{ id: second }]);
  });

  it('an event that arrives while the clock stands or went back is behind no place that was read (F14)', async () => {
    const ahead = await publishOne({ created: new Date(Date.now() + 3_600_000).toISOString() });
    // Ids that sort before and after all others: only the place can order them.
    const last = await publishOne({ id: 'ffffffff-ffff-7fff-bfff-ffffffffffff' });
    const low = await publishOne({ id: '00000000-0000-7000-8000-000000000001' });
    expect(await followFrom(ahead)).toEqual([last, low]);
    expect(await followFrom(last)).toEqual([low]);
  });

  it('a repeated message changes no place, and a test event has none', async () => {
    const event = makeEvent();
    await world.publish(event);
    const { after } = await world.manage.locate(scope);
    await world.publish(event);
    const endpoint = await world.endpoint('http://127.0.0.1:9/');
    await world.manage.test({ ...scope, endpoint_id: endpoint.id, event_type: 'group_payment.paid' });
    expect((await follow(after)).events).toEqual([]);
    expect((await world.manage.locate(scope)).after).toEqual(after);
  });

  it('a place is of one merchant and one mode, and another’s event is no place (Q18, S9)', async () => {
    const mine = await publishOne();
    const others = [await publishOne({ merchant_id: 'm2' }), await publishOne({ mode: 'live' })];
    expect((await follow(null)).events).toMatchObject([{ id: mine }]);
    for (const id of [...others, randomUUID()])
      await expect(followFrom(id)).rejects.toMatchObject({ code: 'not_found', message: 'event not found' });
  });

  it('the events after a place are read from an index, however many there are', async () => {
    await world.asOwner(`insert into events (id, merchant_id, mode, type, group_id, sequence, payload, created_at, received_at, listed_at)
      select gen_random_uuid(), 'm1', 'test', 'group_payment.paid', gen_random_uuid(), 1, '{}', t, t, t
      from generate_series(now() - interval '20000 seconds', now(), interval '1 second') t`);
    await world.asOwner('analyze events');
    const sql = `explain (costs off) select id from events where merchant_id = 'm1' and mode = 'test' and not is_test
      and (coalesce(listed_at, created_at), id) > (now() - interval '1 minute', gen_random_uuid())
      order by coalesce(listed_at, created_at), id limit 20`;
    const { rows } = await world.db.pool.query<{ 'QUERY PLAN': string }>(sql);
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('events_by_arrival');
  });
});
