import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { openReceiver, status, type Receiver } from './support/receiver.ts';
import { eventOf, openWorld, type World } from './support/world.ts';

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

const settled = (count = 1) =>
  eventually(async () => {
    const rows = await world.deliveries();
    const final = rows.filter((row) => row.status !== 'pending' && row.status !== 'sending');
    return final.length >= count ? rows : undefined;
  });

describe('a delivery', () => {
  it("is accepted unmodified by the stripe package's verifier and by Standard Webhooks'", async () => {
    const { secret } = await world.endpoint(receiver.url);
    world.dispatch();
    const event = eventOf();
    await world.tell(event);
    const [request] = await receiver.heard(1);
    const { body, headers } = request!;
    const stripe = new Stripe('sk_unused').webhooks;
    const { id, type, created, data } = event;
    expect(stripe.constructEvent(body, headers['service-signature']!, secret)).toEqual({
      id,
      type,
      created,
      data,
    });
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ id });
    expect(() => stripe.constructEvent(`${body} `, headers['service-signature']!, secret)).toThrow();
  });

  it('carries the documented headers', async () => {
    await world.endpoint(receiver.url);
    world.dispatch();
    const event = eventOf();
    await world.tell(event);
    const [request] = await receiver.heard(1);
    expect(request!.headers).toMatchObject({
      'content-type': 'application/json',
      'service-event-id': event.id,
      'service-event-type': event.type,
      'service-signature': expect.stringMatching(/^t=\d{10},v1=[0-9a-f]{64}$/),
      'user-agent': expect.stringMatching(/^GroupPayments/),
    });
  });

  it.each([200, 201, 202, 204, 299])('is acknowledged by %i', async (code) => {
    receiver.answer(status(code));
    await world.endpoint(receiver.url);
    world.dispatch();
    await world.tell(eventOf());
    expect(await settled()).toMatchObject([{ status: 'delivered', attempts: 1 }]);
  });
});
