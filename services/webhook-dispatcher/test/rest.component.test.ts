import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import { settleClosedLanes } from '../src/app/lanes/settle-closed-lanes.ts';
import { openReceiver, status, type Receiver } from './support/receiver.ts';
import { makeEvent, openWorld, scope, type World } from './support/world.ts';

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

const { signal } = new AbortController();
const statuses = async () => (await world.deliveries()).map((row) => row.status);

it('the dispatcher rests while no delivery waits, and not while one waits for its next try', async () => {
  await world.endpoint(receiver.url);
  const { dispatch } = world.dispatch({ retryLadderMs: '60000' });
  expect(await dispatch.runOnce(signal)).toBe('empty');
  receiver.answer(status(500));
  await world.publish(makeEvent());
  await eventually(async () => ((await world.attempts()).length === 1 ? true : undefined));
  expect(await statuses()).toEqual(['pending']);
  expect(await dispatch.runOnce(signal)).toBe('idle');
});

it('lanes that are closed are looked at again while any delivery waits, and rest when none does', async () => {
  const settling = settleClosedLanes(world.db);
  const { id } = await world.endpoint(receiver.url);
  expect(await settling.runOnce(signal)).toBe('empty');
  await world.publish(makeEvent());
  expect(await settling.runOnce(signal)).toBe('idle');
  await world.change(id, { enabled: false });
  expect(await settling.runOnce(signal)).toBe('busy');
  expect(await statuses()).toEqual(['held']);
  expect(await settling.runOnce(signal)).toBe('empty');
});

it('recoveries are looked at again while one runs, and rest when none does', async () => {
  expect(await world.step(1)).toBe('empty');
  const { id: endpoint_id } = await world.endpoint(receiver.url);
  await world.manage.startRecovery({
    ...scope,
    endpoint_id,
    since: new Date(Date.now() - 60_000).toISOString(),
  });
  expect([await world.step(1), await world.step(1)]).toEqual(['busy', 'empty']);
});
