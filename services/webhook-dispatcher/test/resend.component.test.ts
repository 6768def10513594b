import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DeliveryView } from '@gp/contracts';
import { eventually } from '@gp/testing';
import { ok, openReceiver, status, type Receiver } from './support/receiver.ts';
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

const NEVER = '600000';
const one = async (id: string): Promise<DeliveryView> =>
  (await world.manage.list({ ...scope, endpoint_id: id, limit: 1 })).deliveries[0]!;
const becomes = (id: string, wanted: Partial<DeliveryView>) =>
  eventually(async () => {
    const view = await one(id);
    const isSo = Object.entries(wanted).every(([key, value]) => view?.[key as keyof DeliveryView] === value);
    return isSo ? view : undefined;
  });
const resend = (endpoint_id: string, delivery_id: string, other = {}) =>
  world.manage.resend({ ...scope, endpoint_id, delivery_id, ...other });

/** An endpoint and its one delivery, answered with this and in this state. */
async function sent(answer: number, wanted: Partial<DeliveryView>, retryLadderMs = NEVER) {
  receiver.answer(status(answer));
  const { id } = await world.endpoint(receiver.url);
  const event = makeEvent();
  world.dispatch({ retryLadderMs });
  await world.publish(event);
  await becomes(id, wanted);
  return { id, event };
}

describe('a resend', () => {
  it('a resend of a delivered event sends it once more, the same bytes and id', async () => {
    const { id, event } = await sent(200, { state: 'delivered' });
    const asked = await resend(id, event.id);
    expect(asked).toMatchObject({ id: event.id, state: 'delivered', resend_pending: true });
    const view = await becomes(id, { attempt_count: 2, resend_pending: false });
    expect(view).toMatchObject({ state: 'delivered', next_attempt_at: null });
    expect(view.attempts.map(({ number, trigger }) => [number, trigger])).toEqual([
      [2, 'manual'],
      [1, 'automatic'],
    ]);
    expect(receiver.received[1]!.body).toBe(receiver.received[0]!.body);
  });

  it('a resend is logged and ends its claim whatever the number of earlier ones', async () => {
    const { id, event } = await sent(200, { state: 'delivered' });
    await world.db.pool.query('update deliveries set tries = 32767');
    await resend(id, event.id);
    const view = await becomes(id, { attempt_count: 32_768, resend_pending: false });
    expect(view.attempts[0]).toMatchObject({ number: 32_768, trigger: 'manual' });
    expect(await world.deliveries()).toMatchObject([{ status: 'delivered', claim_id: null, tries: 32_768 }]);
  });

  it('a resend of a delivered event leaves it delivered when the resend is refused', async () => {
    const { id, event } = await sent(200, { state: 'delivered' });
    receiver.answer(status(500));
    await resend(id, event.id);
    expect(await becomes(id, { attempt_count: 2 })).toMatchObject({
      state: 'delivered',
      resend_pending: false,
    });
  });

  it('a resend of a failed delivery delivers it when acknowledged, and leaves it failed when refused', async () => {
    const { id, event } = await sent(500, { state: 'failed' }, '1');
    await resend(id, event.id);
    expect(await becomes(id, { attempt_count: 3 })).toMatchObject({ state: 'failed', next_attempt_at: null });
    receiver.answer(ok);
    await resend(id, event.id);
    expect(await becomes(id, { attempt_count: 4 })).toMatchObject({ state: 'delivered' });
  });

  it('a resend of a waiting delivery ends the automatic retries when acknowledged', async () => {
    const { id, event } = await sent(500, { attempt_count: 1 });
    receiver.answer(ok);
    await resend(id, event.id);
    expect(await becomes(id, { state: 'delivered' })).toMatchObject({
      attempt_count: 2,
      next_attempt_at: null,
    });
    expect(await world.deliveries()).toMatchObject([{ status: 'delivered', due_at: null }]);
  });

  it('a resend of a waiting delivery leaves its retry schedule unchanged when refused', async () => {
    const { id, event } = await sent(500, { attempt_count: 1 });
    const { next_attempt_at } = await one(id);
    await resend(id, event.id);
    const view = await becomes(id, { attempt_count: 2, resend_pending: false });
    expect(view).toMatchObject({ state: 'pending', next_attempt_at });
    expect(view.attempts[0]).toMatchObject({ trigger: 'manual', next_attempt_at });
    expect(await world.deliveries()).toMatchObject([{ attempts: 1, tries: 2 }]);
  });

  it('a resend of a delivery in flight, or requested twice, sends no more than once', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    receiver.answer((...given) => void mayEnd.then(() => status(500)(...given)));
    const { id } = await world.endpoint(receiver.url);
    const event = makeEvent();
    await world.publish(event);
    world.dispatch({ retryLadderMs: NEVER });
    await receiver.receive(1);
    expect(await resend(id, event.id)).toMatchObject({ state: 'pending', resend_pending: false });
    end();
    await becomes(id, { attempt_count: 1 });
    receiver.answer(ok);
    await Promise.all([resend(id, event.id), resend(id, event.id)]);
    await becomes(id, { state: 'delivered' });
    expect(receiver.received).toHaveLength(2);
  });

  it('a resend of a held delivery sends it once the endpoint is enabled; before, it is a conflict (F5)', async () => {
    const { id } = await world.endpoint(receiver.url);
    await world.change(id, { enabled: false });
    const event = makeEvent();
    await world.publish(event);
    await expect(resend(id, event.id)).rejects.toMatchObject({ code: 'conflict' });
    expect(await one(id)).toMatchObject({ state: 'held' });
    await world.change(id, { enabled: true });
    world.dispatch();
    await resend(id, event.id);
    await becomes(id, { state: 'delivered' });
  });

  it('a resend that still waits when the endpoint is disabled leaves a delivered event delivered', async () => {
    const { id, event } = await sent(200, { state: 'delivered' });
    await world.stopAll();
    await resend(id, event.id);
    await world.change(id, { enabled: false });
    await world.settle();
    expect(await one(id)).toMatchObject({ state: 'delivered', resend_pending: false });
  });

  it('a resend of an unknown delivery, or through another merchant, mode or endpoint, finds nothing (Q18)', async () => {
    const { id, event } = await sent(200, { state: 'delivered' });
    const other = await world.endpoint(receiver.url, { merchant_id: 'm2' });
    const none = { code: 'not_found', message: 'delivery not found' };
    await expect(resend(id, makeEvent().id)).rejects.toMatchObject(none);
    await expect(resend(other.id, event.id, { merchant_id: 'm2' })).rejects.toMatchObject(none);
    for (const scope of [{ merchant_id: 'm2' }, { mode: 'live' }])
      await expect(resend(id, event.id, scope)).rejects.toMatchObject({
        message: 'webhook endpoint not found',
      });
    expect(receiver.received).toHaveLength(1);
  });
});

describe('a test event', () => {
  it('a test event goes to its endpoint alone, subscribed or not, signed and marked, and is in no list of events', async () => {
    const { id } = await world.endpoint(receiver.url, { event_types: ['payment_intent.failed'] });
    const bystander = await openReceiver();
    await world.endpoint(bystander.url);
    world.dispatch();
    const asked = await world.manage.test({
      ...scope,
      endpoint_id: id,
      event_type: 'group_payment.refunded',
    });
    expect(asked).toMatchObject({ event_type: 'group_payment.refunded', is_test_event: true });
    const [request] = await receiver.receive(1);
    expect(request!.headers).toMatchObject({
      'service-test-event': 'true',
      'service-event-type': 'group_payment.refunded',
      'service-event-id': asked.event_id,
      'service-signature': expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
    });
    const nil = '00000000-0000-0000-0000-000000000000';
    expect(request!.event.data).toMatchObject({
      is_test_event: true,
      group_payment_id: nil,
      amount_captured: 0,
    });
    await world.publish(makeEvent());
    await bystander.receive(1);
    expect(bystander.received.map(({ headers }) => headers['service-test-event'])).toEqual([undefined]);
    const { events } = await world.manage.events({ ...scope, limit: 100 });
    expect(events.map((event) => event.id)).not.toContain(asked.event_id);
    await expect(world.manage.event({ ...scope, id: asked.event_id })).rejects.toMatchObject({
      code: 'not_found',
    });
    await bystander.close();
  });

  it('a test event is refused for a disabled endpoint, and another merchant’s endpoint is not found', async () => {
    const { id } = await world.endpoint(receiver.url);
    const test = (o: object) =>
      world.manage.test({ ...scope, endpoint_id: id, event_type: 'group_payment.paid', ...o });
    await expect(test({ merchant_id: 'm2' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(test({ mode: 'live' })).rejects.toMatchObject({ code: 'not_found' });
    await world.change(id, { enabled: false });
    await expect(test({})).rejects.toMatchObject({ code: 'conflict' });
    expect(await world.deliveries()).toEqual([]);
  });
});
