import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { EndpointFailing } from '@gp/contracts';
import { announceFailures } from '../src/app/endpoints/announce-failures.ts';
import { computeFirstId } from '../src/db/attempt-ids.ts';
import { openWorld, scope, type World } from './support/world.ts';

const URL_WITH_SECRETS = 'https://shop.example/hooks?token=s3cret';
const live = { ...scope, mode: 'live' as const };

let world: World;
let id: string;
beforeAll(async () => {
  world = await openWorld();
  // Attempts of yesterday need its partition also in the first hours of a day.
  await world.asOwner("select keep_attempt_days(((now() - interval '1 day') at time zone 'UTC')::date)");
});
afterAll(() => world?.close());
beforeEach(async () => ({ id } = await world.endpoint(URL_WITH_SECRETS, live)));
afterEach(() => world.clear());

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
let logged = 0;
/** A request as the dispatcher logs it. */
const log = (outcome: string, hours: number, o: { status?: number; error?: string } = {}) => {
  logged += 1;
  const attemptId = computeFirstId(hoursAgo(hours)).replace(/.{12}$/, logged.toString(16).padStart(12, '0'));
  return world.db.pool.query(
    `insert into attempts (id, event_id, endpoint_id, number, url, request_headers, timings, outcome, http_status, error_class)
     values ($1, gen_random_uuid(), $2, 1, 'https://x.example', '{}', '{}', $3, $4, $5)`,
    [attemptId, id, outcome, o.status ?? null, o.error ?? null],
  );
};
/** A delivery that has been tried, and its lane. */
const deliver = async (status: 'pending' | 'failed', hours: number) => {
  await world.db.pool.query(
    `insert into deliveries (event_id, endpoint_id, group_id, sequence, status, attempts, due_at, created_at, settled_at)
     select gen_random_uuid(), $1, gen_random_uuid(), 1, $2, 5, case $2 when 'pending' then now() + interval '1 hour' end, $3,
            case $2 when 'failed' then now() end`,
    [id, status, hoursAgo(hours)],
  );
  await world.db.pool.query(`update lanes set due_at = now() + interval '1 hour' where endpoint_id = $1`, [
    id,
  ]);
};
const fail = async (hours: number) => {
  await deliver('pending', hours);
  await log('status_5xx', hours, { status: 500 });
  await log('connect_timeout', hours / 2, { error: 'connect_timeout' });
};
let woken = 0;
const pass = () =>
  announceFailures({ db: world.db, wakeRelay: () => void (woken += 1) }).runOnce(
    new AbortController().signal,
  );
/** What a pass published. */
const published = async (): Promise<readonly EndpointFailing[]> => {
  await world.db.pool.query('delete from outbox');
  await pass();
  const { rows } = await world.db.pool.query<{ payload: EndpointFailing; subject: string }>(
    'select payload, subject from outbox order by position',
  );
  for (const { subject } of rows) expect(subject).toBe('evt.webhooks.endpoint.failing.v1.m1');
  return rows.map(({ payload }) => payload);
};

it('an endpoint of live mode that acknowledged nothing for three hours is published once, without what may be secret (K19)', async () => {
  await fail(4);
  await log('acknowledged', 5, { status: 200 });
  await deliver('pending', 1);
  const [told, ...others] = await published();
  expect(others).toEqual([]);
  expect(told).toMatchObject({
    ...{ ...live, endpoint_id: id, address: 'https://shop.example/hooks', trouble: 'failing' },
    ...{ waiting: 2, given_up: 0, http_status: null, error_class: 'connect_timeout' },
  });
  const sinceMs = Date.now() - Date.parse(told!.failing_since);
  expect(Math.round(sinceMs / 60_000)).toBe(4 * 60);
  expect(woken).toBeGreaterThan(0);
  expect(await published()).toEqual([]);
});

it('an endpoint is published a second time when a delivery to it is given up, and never a third time (K19)', async () => {
  await fail(18);
  expect((await published()).map(({ trouble }) => trouble)).toEqual(['failing']);
  await deliver('failed', 18);
  expect(await published()).toMatchObject([{ trouble: 'given_up', given_up: 1, waiting: 1 }]);
  await deliver('failed', 18);
  expect(await published()).toEqual([]);
});

it('an endpoint that was found when deliveries to it were given up already is published once (K19)', async () => {
  await fail(18);
  await deliver('failed', 18);
  expect(await published()).toMatchObject([{ trouble: 'given_up', given_up: 1 }]);
  expect(await published()).toEqual([]);
});

it('an acknowledgement ends a spell of failure, and only the next three hours of failure are published (K19)', async () => {
  await fail(20);
  await published();
  await log('acknowledged', 2, { status: 204 });
  await log('status_5xx', 1, { status: 503 });
  expect(await published()).toEqual([]);
  expect((await world.db.pool.query('select from endpoint_failures')).rowCount).toBe(0);
  await world.asOwner(`delete from attempts where outcome = 'acknowledged'`);
  await log('acknowledged', 12, { status: 204 });
  await log('status_4xx', 0.1, { status: 410 });
  expect(await published()).toMatchObject([{ trouble: 'failing', http_status: 410 }]);
});

it.each([
  ['that failed for less than three hours', () => fail(2.9)],
  [
    'that acknowledged something meanwhile',
    async () => {
      await fail(5);
      await log('acknowledged', 1, { status: 200 });
    },
  ],
  [
    'whose merchant disabled it',
    async () => {
      await fail(5);
      await world.db.pool.query('update endpoints set enabled = false');
    },
  ],
  [
    'of test mode',
    async () => {
      ({ id } = await world.endpoint(URL_WITH_SECRETS));
      await fail(5);
    },
  ],
  ['to which nothing was sent for long', () => deliver('pending', 5)],
])('an endpoint %s is not published (K19)', async (_which, arrange) => {
  await arrange();
  expect(await published()).toEqual([]);
});

it('replicas that pass at the same time publish an endpoint once (K19)', async () => {
  await fail(4);
  await Promise.all([pass(), pass(), pass(), pass()]);
  expect((await world.db.pool.query('select from outbox')).rowCount).toBe(1);
});
