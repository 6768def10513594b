import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import { listGroupDeliveries } from '../src/app/deliveries/list-group-deliveries.ts';
import { sumAttempts } from '../src/app/deliveries/sum-attempts.ts';
import { openReceiver, status } from './support/receiver.ts';
import { groupEvents, openWorld, scope, type World } from './support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());
afterEach(() => world.clear());

it('requests are summed by day and endpoint, and a group’s deliveries are listed, for one merchant and mode', async () => {
  const [good, bad] = [await openReceiver(), await openReceiver()];
  bad.answer(status(500));
  const taking = await world.endpoint(good.url);
  const failing = await world.endpoint(bad.url);
  world.dispatch({ retryLadderMs: '1' });
  const events = groupEvents(2);
  await world.publish(...events);
  await eventually(
    async () =>
      (await world.deliveries()).every(({ status: is }) => ['delivered', 'failed'].includes(is)) || undefined,
  );
  await world.stopAll();

  const sums = await sumAttempts(world.db)({ ...scope, days: 7 });
  const attempts = await world.attempts();
  // Two days where midnight was in between.
  const summed = (key: 'acknowledged' | 'failed') => sums.days.reduce((sum, day) => sum + day[key], 0);
  expect(sums.days.length).toBeLessThanOrEqual(2);
  expect([summed('acknowledged'), summed('failed')]).toEqual([2, attempts.length - 2]);
  const of = (id: string) => sums.endpoints.find(({ endpoint_id }) => endpoint_id === id);
  expect(of(taking.id)).toMatchObject({
    acknowledged: 2,
    failed: 0,
    last_acknowledged_at: expect.any(String),
  });
  expect(of(failing.id)).toMatchObject({ acknowledged: 0, pending: 0, last_acknowledged_at: null });

  const group_payment_id = events[0]!.group_id;
  const { deliveries } = await listGroupDeliveries(world.db)({ ...scope, group_payment_id });
  expect(deliveries.map(({ endpoint_id, state }) => [endpoint_id, state])).toEqual([
    [taking.id, 'delivered'],
    [failing.id, 'failed'],
    [taking.id, 'delivered'],
    [failing.id, 'failed'],
  ]);
  for (const other of [{ merchant_id: 'm2' }, { mode: 'live' as const }]) {
    const elsewhere = { ...scope, ...other };
    expect(await sumAttempts(world.db)({ ...elsewhere, days: 7 })).toMatchObject({ days: [], endpoints: [] });
    expect(await listGroupDeliveries(world.db)({ ...elsewhere, group_payment_id })).toEqual({
      deliveries: [],
    });
  }
  await Promise.all([good.close(), bad.close()]);
});
