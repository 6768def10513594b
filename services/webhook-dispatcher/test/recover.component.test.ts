import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { moveClock } from '@gp/test-clock';
import { eventually } from '@gp/testing';
import { ok, openReceiver, status, type Receiver } from './support/receiver.ts';
import { makeEvent, groupEvents, openWorld, scope, type World } from './support/world.ts';

let world: World;
let receiver: Receiver;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(async () => {
  await world.clear();
  await receiver.close();
});

const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
const start = (endpoint_id: string, o: object = {}) =>
  world.manage.startRecovery({ ...scope, endpoint_id, since: ago(1), ...o });
const find = (endpoint_id: string, recovery_id: string) =>
  world.manage.findRecovery({ ...scope, endpoint_id, recovery_id });
const statuses = async () => (await world.deliveries()).map((row) => row.status);
const all = (wanted: string) =>
  eventually(async () => (await statuses()).every((each) => each === wanted) || undefined);

describe('a recovery', () => {
  it('a recovery sends events that were held, failed or never sent, and none that was delivered (F5)', async () => {
    const early = makeEvent();
    await world.publish(early);
    const { id } = await world.endpoint(receiver.url);
    world.dispatch({ retryLadderMs: '1' });
    const delivered = makeEvent();
    await world.publish(delivered);
    await all('delivered');
    receiver.answer(status(500));
    const failed = makeEvent();
    await world.publish(failed);
    await eventually(async () => (await statuses()).includes('failed') || undefined);
    await world.change(id, { enabled: false });
    const held = makeEvent();
    await world.publish(held);
    await world.change(id, { enabled: true });
    receiver.answer(ok);
    const before = receiver.received.length;

    const started = await start(id);
    expect(started).toMatchObject({ status: 'running', recovered: 0, ended_at: null });
    await world.recover();
    await all('delivered');
    expect(await find(id, started.id)).toMatchObject({ status: 'done', recovered: 3 });
    const again = receiver.received.slice(before).map((request) => request.event.id);
    expect(again.toSorted()).toEqual([early.id, failed.id, held.id].toSorted());
  });

  it('a recovery covers its period and the endpoint’s event types only', async () => {
    const old = makeEvent({ created: ago(3) });
    const wanted = makeEvent({ created: ago(2) });
    const unwanted = makeEvent({ created: ago(2), type: 'payment_intent.failed' });
    await world.publish(old, wanted, unwanted, makeEvent());
    const { id } = await world.endpoint(receiver.url, { event_types: ['group_payment.paid'] });
    world.dispatch();
    await start(id, { since: ago(2.5), until: ago(1) });
    await world.recover();
    await all('delivered');
    expect(receiver.received.map((request) => request.event.id)).toEqual([wanted.id]);
  });

  it('a recovery follows the whole retry schedule again, in the order of each group (F3)', async () => {
    const { id } = await world.endpoint(receiver.url);
    await world.change(id, { enabled: false });
    await world.publish(...groupEvents(6));
    await world.change(id, { enabled: true });
    receiver.answer((response, _request, count) => response.writeHead(count <= 6 ? 500 : 200).end());
    world.dispatch({ retryLadderMs: '600000' });
    await start(id);
    await world.recover();
    await eventually(async () => (await world.deliveries()).every((row) => row.attempts === 1) || undefined);
    await world.hurry('pending');
    await all('delivered');
    const firsts = receiver.received.slice(0, 6).map((request) => request.event.type);
    expect(firsts).toEqual(groupEvents(6).map((event) => event.type));
    expect(receiver.received).toHaveLength(12);
  });

  it('a recovery continues step by step where it was, and makes each delivery due once', async () => {
    await world.publish(...Array.from({ length: 25 }, () => makeEvent()));
    const { id } = await world.endpoint(receiver.url);
    const { id: job } = await start(id);
    world.dispatch();
    await eventually(async () => {
      await world.recover(4);
      return (await find(id, job)).status === 'done' || undefined;
    });
    await all('delivered');
    expect(await find(id, job)).toMatchObject({ recovered: 25 });
    expect(new Set(receiver.received.map((request) => request.event.id)).size).toBe(25);
    expect(receiver.received).toHaveLength(25);
  });

  it('a recovery never puts more than a step before present events', async () => {
    await world.publish(...Array.from({ length: 30 }, () => makeEvent()));
    const { id } = await world.endpoint(receiver.url);
    await start(id);
    for (let turn = 0; turn < 4; turn += 1) await world.step(5);
    expect(await statuses()).toEqual(Array.from({ length: 5 }, () => 'pending'));
  });

  describe('of a merchant whose test clock is ahead', () => {
    const AHEAD_HOURS = 40 * 24;
    beforeEach(() =>
      world.db.transaction((tx) =>
        moveClock(tx, { merchantId: scope.merchant_id, aheadMs: AHEAD_HOURS * HOUR_MS, revision: 1 }),
      ),
    );
    afterEach(() => world.asOwner('truncate test_clocks'));

    it('a recovery with a test clock ahead goes up to that clock where no end is given, and not beyond (F5)', async () => {
      const [before, after] = [makeEvent(), makeEvent({ created: ago(1 - AHEAD_HOURS) })];
      await world.publish(before, after, makeEvent({ created: ago(-1 - AHEAD_HOURS) }));
      const { id } = await world.endpoint(receiver.url);
      world.dispatch();
      const started = await start(id);
      await world.recover();
      await all('delivered');
      expect(await find(id, started.id)).toMatchObject({ status: 'done', recovered: 2 });
      expect((await world.deliveries()).map((row) => row.event_id).toSorted()).toEqual(
        [before.id, after.id].toSorted(),
      );
    });

    it('a recovery with a test clock ahead keeps to the given end', async () => {
      await world.publish(makeEvent(), makeEvent({ created: ago(1 - AHEAD_HOURS) }));
      const { id } = await world.endpoint(receiver.url);
      const started = await start(id, { until: ago(-1) });
      await world.recover();
      expect(await find(id, started.id)).toMatchObject({ status: 'done', recovered: 1 });
    });

    it('a recovery accepts a start that the test clock has passed, and none after it', async () => {
      const { id } = await world.endpoint(receiver.url);
      await expect(start(id, { since: ago(-1 - AHEAD_HOURS) })).rejects.toMatchObject({
        code: 'validation_error',
        data: { param: 'until' },
      });
      expect(await start(id, { since: ago(1 - AHEAD_HOURS) })).toMatchObject({ status: 'running' });
    });

    it('a recovery in live mode has the real time (S9)', async () => {
      const live = { mode: 'live' as const };
      const { id } = await world.endpoint(receiver.url, live);
      const { until } = await start(id, live);
      expect(new Date(until).getTime()).toBeLessThanOrEqual(Date.now());
    });
  });

  it('a recovery waits while its endpoint is disabled and ends when it is deleted', async () => {
    await world.publish(makeEvent());
    const { id } = await world.endpoint(receiver.url);
    const { id: job } = await start(id);
    await world.change(id, { enabled: false });
    await world.step(5);
    expect(await find(id, job)).toMatchObject({ status: 'running' });
    expect(await statuses()).toEqual([]);
    await world.remove(id);
    await world.recover();
    const { rows } = await world.db.pool.query('select status, due_at from recoveries');
    expect(rows).toEqual([{ status: 'cancelled', due_at: null }]);
  });

  it('a recovery runs alone: the same period is the same recovery, another one a conflict', async () => {
    const { id } = await world.endpoint(receiver.url);
    const [since, until] = [ago(5), ago(1)];
    const first = await start(id, { since, until });
    expect(await start(id, { since, until })).toEqual(first);
    await expect(start(id, { since })).resolves.toEqual(first);
    await expect(start(id, { since: ago(4) })).rejects.toMatchObject({ code: 'conflict' });
    await world.recover();
    expect((await start(id, { since: ago(4) })).id).not.toBe(first.id);
  });

  it.each([
    ['since', { since: ago(30 * 24 + 1) }],
    ['until', { since: ago(1), until: ago(2) }],
    ['until', { since: ago(-1) }],
  ])('a recovery names %s in a period it cannot accept', async (param, period) => {
    const { id } = await world.endpoint(receiver.url);
    await expect(start(id, period)).rejects.toMatchObject({ code: 'validation_error', data: { param } });
  });

  it('a recovery of a disabled endpoint is refused, and another merchant’s is not found (Q18)', async () => {
    const { id } = await world.endpoint(receiver.url);
    const other = await world.endpoint(receiver.url);
    const job = await start(id);
    const missing = { code: 'not_found' };
    await expect(find(other.id, job.id)).rejects.toMatchObject(missing);
    for (const wrong of [{ merchant_id: 'm2' }, { mode: 'live' as const }]) {
      await expect(start(id, wrong)).rejects.toMatchObject(missing);
      await expect(
        world.manage.findRecovery({ ...scope, ...wrong, endpoint_id: id, recovery_id: job.id }),
      ).rejects.toMatchObject(missing);
    }
    await world.change(other.id, { enabled: false });
    await expect(start(other.id)).rejects.toMatchObject({ code: 'conflict' });
  });
});
