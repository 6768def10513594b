import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DeliveryState, EventType, ListPosition } from '@gp/contracts';
import { eventually } from '@gp/testing';
import { openReceiver, status, type Receiver } from './support/receiver.ts';
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

type Filter = { state?: DeliveryState; event_type?: EventType; limit?: number; after?: ListPosition };
const list = (endpoint_id: string, o: Filter = {}) =>
  world.manage.list({ ...scope, endpoint_id, limit: 20, ...o });
/** Every page of a list, one after the other. */
async function pages(id: string, o: Filter) {
  const found: string[][] = [];
  for (let after: ListPosition | null | undefined; after !== null;) {
    const page = await list(id, { ...o, ...(after && { after }) });
    found.push(page.deliveries.map((delivery) => delivery.id));
    after = page.next;
  }
  return found;
}

describe('the list of deliveries', () => {
  it('the list of deliveries has the request and the response of each attempt, never the signature', async () => {
    receiver.answer(status(503, {}, 'y'.repeat(20_000)));
    const { id, secret } = await world.endpoint(receiver.url);
    world.dispatch({ retryLadderMs: '1,600000' });
    const event = makeEvent();
    await world.publish(event);
    const delivery = await eventually(async () => {
      const [found] = (await list(id)).deliveries;
      return found?.attempt_count === 2 ? found : undefined;
    });
    expect(delivery).toMatchObject({
      id: event.id,
      event_type: 'group_payment.paid',
      is_test_event: false,
      state: 'pending',
      settled_at: null,
      attempts: [{ number: 2, next_attempt_at: delivery.next_attempt_at }, { number: 1 }],
    });
    expect(delivery.attempts[0]).toMatchObject({
      trigger: 'automatic',
      url: receiver.url,
      remote_address: '127.0.0.1',
      http_status: 503,
      outcome: 'status_5xx',
      error_class: null,
      response_body: 'y'.repeat(16_384),
      request_headers: { 'Service-Signature': '[redacted]', 'webhook-signature': '[redacted]' },
      timings: { total_ms: expect.any(Number), first_byte_ms: expect.any(Number) },
    });
    expect(Math.abs(Date.parse(delivery.attempts[0]!.ended_at) - Date.now())).toBeLessThan(60_000);
    expect(JSON.stringify(delivery)).not.toContain(secret);
  });

  it('the list of deliveries names the reason where there was no response', async () => {
    const { id } = await world.endpoint('http://127.0.0.1:1/');
    world.dispatch({ retryLadderMs: '600000' });
    await world.publish(makeEvent());
    await eventually(async () => {
      const [attempt] = (await list(id)).deliveries[0]?.attempts ?? [];
      return attempt?.error_class === 'connect' && attempt.http_status === null ? true : undefined;
    });
  });

  it('the list of deliveries is paged, newest first, each delivery once, whatever arrives meanwhile', async () => {
    const { id } = await world.endpoint(receiver.url);
    const published = Array.from({ length: 7 }, () => makeEvent());
    for (const event of published) await world.publish(event);
    const first = await list(id, { limit: 3 });
    await world.publish(makeEvent());
    const rest = await pages(id, { limit: 3, after: first.next! });
    const ids = [first.deliveries.map((delivery) => delivery.id), ...rest];
    expect(ids.map((page) => page.length)).toEqual([3, 3, 1]);
    expect(ids.flat()).toEqual(published.map((event) => event.id).toReversed());
  });

  it('the list of deliveries filters by state and by type', async () => {
    const { id } = await world.endpoint(receiver.url);
    const [paid, failed] = [makeEvent(), makeEvent({ type: 'payment_intent.failed' })];
    world.dispatch();
    await world.publish(paid);
    await receiver.receive(1);
    await eventually(async () => (await world.deliveries())[0]?.status === 'delivered' || undefined);
    await world.change(id, { enabled: false });
    await world.publish(failed);
    const listIds = async (o: Filter) => (await pages(id, o)).flat();
    expect(await listIds({ state: 'delivered' })).toEqual([paid.id]);
    expect(await listIds({ state: 'held' })).toEqual([failed.id]);
    expect(await listIds({ state: 'failed' })).toEqual([]);
    expect(await listIds({ event_type: 'payment_intent.failed' })).toEqual([failed.id]);
    expect(await listIds({ event_type: 'group_payment.paid', state: 'held' })).toEqual([]);
  });

  it('the list of deliveries reads a window of rows at a time: a page may be empty and still lead on', async () => {
    const { id } = await world.endpoint(receiver.url);
    const rare = makeEvent({ type: 'group_payment.refunded' });
    await world.publish(rare);
    for (let batch = 0; batch < 23; batch += 1)
      await world.publish(...Array.from({ length: 100 }, () => makeEvent()));
    const found = await pages(id, { event_type: 'group_payment.refunded' });
    expect(found).toEqual([[], [rare.id]]);
  });

  it('the list of deliveries returns less than requested rather than more than a message holds', async () => {
    receiver.answer(status(500, {}, '\u0001'.repeat(16_384)));
    const { id } = await world.endpoint(receiver.url);
    world.dispatch();
    await world.publish(...groupEvents(4));
    await eventually(
      async () => (await world.deliveries()).every((row) => row.status === 'failed') || undefined,
    );
    const page = await list(id);
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(1_000_000);
    expect((await pages(id, {})).map((each) => each.length)).toEqual([1, 1, 1, 1]);
  });

  it('the list of deliveries is of one endpoint of this merchant and mode (Q18)', async () => {
    const { id } = await world.endpoint(receiver.url);
    const other = await world.endpoint(receiver.url);
    await world.publish(makeEvent());
    expect((await list(other.id)).deliveries[0]!.id).toBe((await list(id)).deliveries[0]!.id);
    for (const wrong of [{ merchant_id: 'm2' }, { mode: 'live' as const }])
      await expect(
        world.manage.list({ ...scope, ...wrong, endpoint_id: id, limit: 1 }),
      ).rejects.toMatchObject({ code: 'not_found' });
  });
});
