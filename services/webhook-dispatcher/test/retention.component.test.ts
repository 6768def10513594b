import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { keepPartitions, reapEndpoints, reapEvents } from '../src/app/retention.ts';
import { reapSecrets } from '../src/app/endpoints/roll-secret.ts';
import { makeEvent, openWorld, scope, type World } from './support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());
afterEach(async () => {
  await world.clear();
  await keepPartitions(world.db);
});

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
/** An attempt as a process whose clock says so would log it. */
const logAt = (when: Date) => {
  const hex = when.getTime().toString(16).padStart(12, '0');
  const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${Math.random().toString(16).slice(2, 14).padEnd(12, '0')}`;
  return world.db.pool.query(
    `insert into attempts (id, event_id, endpoint_id, number, url, request_headers, timings, outcome)
     values ($1, gen_random_uuid(), gen_random_uuid(), 1, 'https://x.example', '{}', '{}', 'acknowledged')`,
    [id],
  );
};
/** Does what the upkeep will do in so many days. */
const keepPartitionsOf = (days: number) =>
  world.asOwner(`select keep_attempt_days('${inDays(days).toISOString().slice(0, 10)}')`);
const logged = async () => Number((await world.db.pool.query('select from attempts')).rowCount);
const run = async (loop: { runOnce(signal: AbortSignal): Promise<string> }): Promise<number> => {
  for (let passes = 1; ; passes += 1)
    if ((await loop.runOnce(new AbortController().signal)) === 'idle') return passes;
};
const age = (days: number, where = 'true') =>
  world.db.pool.query(
    `update events set received_at = clock_timestamp() - make_interval(days => ${days}) where ${where}`,
  );

describe('the attempt log', () => {
  it('the attempt log has its partitions a week ahead: the upkeep may be away that long', async () => {
    for (const days of [0, 3, 7]) await logAt(inDays(days));
    await expect(logAt(inDays(9))).rejects.toThrow(/no partition/);
    expect(await logged()).toBe(3);
  });

  it('the attempt log gets tomorrow’s partitions as the clock advances, hour by hour, for a month without a gap', async () => {
    for (let day = 0; day <= 31; day += 1) {
      await keepPartitionsOf(day);
      await logAt(inDays(day));
    }
    // The 30 days before the last and that one; the first went with its partition.
    expect(await logged()).toBe(31);
  });

  it('the attempt log drops whole days after 30 days (Q31)', async () => {
    await logAt(inDays(0));
    await keepPartitionsOf(30);
    expect(await logged()).toBe(1);
    await keepPartitionsOf(31);
    expect(await logged()).toBe(0);
  });

  it('the attempt log loses nothing to the dispatcher’s own role, which chooses neither the day nor the partition (H3)', async () => {
    await logAt(inDays(0));
    for (const sql of [
      'delete from attempts',
      'truncate attempts',
      `select keep_attempt_days(current_date + 40)`,
      `drop table attempts_p${inDays(0).toISOString().slice(0, 10).replaceAll('-', '')}`,
    ])
      await expect(world.db.pool.query(sql)).rejects.toMatchObject({ code: '42501' });
    await keepPartitions(world.db);
    expect(await logged()).toBe(1);
  });
});

describe('events', () => {
  it('events are deleted after 30 days with their deliveries, 500 at a time (Q31)', async () => {
    const { id } = await world.endpoint('http://127.0.0.1:1/');
    await world.change(id, { enabled: false });
    for (let batch = 0; batch < 12; batch += 1)
      await world.publish(...Array.from({ length: 100 }, () => makeEvent()));
    await age(31);
    const young = makeEvent();
    await world.publish(young);
    expect(await run(reapEvents(world.db))).toBe(4);
    expect(await world.deliveries()).toMatchObject([{ event_id: young.id, status: 'held' }]);
    const { events } = await world.manage.events({ ...scope, limit: 100 });
    expect(events.map((event) => event.id)).toEqual([young.id]);
  });

  it('events stay while one of their deliveries is open', async () => {
    await world.endpoint('http://127.0.0.1:1/');
    await world.publish(makeEvent());
    await age(40);
    await run(reapEvents(world.db));
    expect(await world.deliveries()).toHaveLength(1);
  });
});

describe('what is left of an endpoint', () => {
  it('a deleted endpoint is erased after 30 days, when no delivery refers to it', async () => {
    const gone = await world.endpoint('http://127.0.0.1:1/');
    const published = await world.endpoint('http://127.0.0.1:1/');
    const kept = await world.endpoint('http://127.0.0.1:1/');
    await world.manage.startRecovery({ ...scope, endpoint_id: gone.id, since: inDays(-1).toISOString() });
    await world.recover();
    await world.remove(gone.id);
    await world.publish(makeEvent());
    await world.remove(published.id);
    await world.settle();
    await world.db.pool.query(`update endpoints set deleted_at = deleted_at - interval '31 days'`);
    await run(reapEndpoints(world.db));
    const { rows } = await world.db.pool.query<{ id: string }>('select id from endpoints order by id');
    expect(rows.map(({ id }) => id)).toEqual([published.id, kept.id].toSorted());
  });

  it('a secret whose overlap is over is erased', async () => {
    const { id } = await world.endpoint('http://127.0.0.1:1/');
    await world.manage.roll({ ...scope, id, overlap_seconds: 3_600 });
    await run(reapSecrets(world.db));
    expect((await world.db.pool.query('select from retired_secrets')).rowCount).toBe(1);
    await world.db.pool.query(
      `update retired_secrets set valid_until = clock_timestamp() - interval '1 minute'`,
    );
    await run(reapSecrets(world.db));
    expect((await world.db.pool.query('select from retired_secrets')).rowCount).toBe(0);
  });
});
