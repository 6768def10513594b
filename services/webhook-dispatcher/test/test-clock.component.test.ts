import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, freePort } from '@gp/testing';
import { findTestDeliveries, shiftTestRetries } from '../src/db/test-clock.ts';
import { openReceiver, silence, status, type Receiver } from './support/receiver.ts';
import { makeEvent, openWorld, scope, type Running, type World } from './support/world.ts';

let world: World;
const receivers: Receiver[] = [];
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((each) => each.close()));
  await world.clear();
});

const HOUR = 3_600_000;
/** Retries that only the test clock makes due. */
const ladder = { retryLadderMs: `${HOUR},${HOUR},${HOUR},${HOUR},${HOUR},${HOUR}` };
const merchantId = scope.merchant_id;
const events = (count: number) => Array.from({ length: count }, () => makeEvent());
const findWork = ({ dispatch }: Running) =>
  findTestDeliveries(world.db, { merchantId, asOf: new Date(), unresponsive: dispatch.unresponsive() });
const shift = () =>
  world.db.transaction((tx) => shiftTestRetries(tx, { merchantId, byMs: 2 * HOUR, accounts: [] }));

describe('deliveries to an endpoint that does not answer are no work of the test clock (F12)', () => {
  it('when it refuses connections, before and after the clock moved', async () => {
    await world.endpoint(`http://127.0.0.1:${await freePort()}/`);
    await world.publish(...events(20));
    expect(
      await findTestDeliveries(world.db, { merchantId, asOf: new Date(), unresponsive: [] }),
    ).toMatchObject({
      isDue: true,
    });
    const running = world.dispatch({ ...ladder, lanePolicy: { pauseMs: HOUR, longestPauseMs: HOUR } });
    await eventually(async () => ((await findWork(running)).isDue ? undefined : true));
    const left = (await world.deliveries()).filter(({ status }) => status === 'pending');
    expect(left).toHaveLength(20);
    expect(await findWork(running)).toEqual({ isDue: false, wasDue: false, dueInMs: null });
    await shift();
    expect(await findWork(running)).toEqual({ isDue: false, wasDue: false, dueInMs: null });
  });

  it('when it takes requests and never answers', async () => {
    const hanging = await openReceiver();
    receivers.push(hanging);
    hanging.answer(silence);
    await world.endpoint(hanging.url);
    await world.publish(...events(5));
    const running = world.dispatch(ladder);
    await hanging.receive(1);
    expect((await findWork(running)).isDue).toBe(true);
    await eventually(async () => ((await findWork(running)).isDue ? undefined : true));
    expect((await world.deliveries()).filter(({ status }) => status === 'sending').length).toBeGreaterThan(0);
    // Their requests end when the receiver closes; no test waits for them.
    for (const each of receivers.splice(0)) await each.close();
  });

  it('while an endpoint that answers with an error still has its retries at their time (Q10)', async () => {
    const failing = await openReceiver();
    receivers.push(failing);
    failing.answer(status(503));
    await world.endpoint(failing.url);
    await world.publish(makeEvent());
    const running = world.dispatch(ladder);
    await failing.receive(1);
    const work = await eventually(async () => {
      const found = await findWork(running);
      return found.isDue ? undefined : found;
    });
    expect(work.dueInMs).toBeGreaterThan(HOUR / 2);
    await shift();
    await failing.receive(2);
  });
});
