import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { followEvents, GroupPaymentsError, type WebhookEvent } from '@group-payments/client';
import { eventually } from '@gp/testing';
import type { Group, MerchantApi } from '../support/api.ts';
import { openEndpoint, type Endpoint } from '../support/endpoint.ts';
import { newGroup, openApi, payer, paySlot } from '../support/journey.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { findMerchant } from '../support/stack.ts';

const ALL = '00000000-0000-0000-0000-000000000000';

let shared: SharedStack;
let api: MerchantApi;
let endpoint: Endpoint;
let keys: { mine: string; live: string; theirs: string };
const stops: AbortController[] = [];

beforeAll(async () => {
  shared = await openSharedStack({ merchants: ['gateway_a', 'gateway_b'] });
  const merchant = findMerchant(shared.stack, 'gateway_b');
  api = openApi(shared.stack, merchant);
  keys = {
    mine: merchant.test_key,
    live: merchant.live_key,
    theirs: findMerchant(shared.stack, 'gateway_a').test_key,
  };
  endpoint = await openEndpoint();
  await api.createWebhook(endpoint.url);
});
afterEach(() => stops.splice(0).forEach((stop) => stop.abort()));
afterAll(async () => {
  await endpoint?.close();
  await shared?.close();
});

/** Follows the events of a key and keeps what arrives. */
function follow(key: string, o: { after?: string; fetch?: typeof fetch } = {}) {
  const stop = new AbortController();
  stops.push(stop);
  const { promise: isOpen, resolve: opened, reject: refused } = Promise.withResolvers<string>();
  const seen: WebhookEvent[] = [];
  const settings = { key, baseUrl: shared.stack.api, ...(o.fetch && { fetch: o.fetch }) };
  const run = async () => {
    const options = { signal: stop.signal, onOpen: opened, pauseMs: 10 };
    for await (const event of followEvents(settings, { ...options, ...(o.after && { after: o.after }) }))
      seen.push(event);
  };
  const isOver = run().catch(refused);
  const listOf = (group: Group) =>
    seen
      .filter(({ data }) => data.group_payment_id === group.group_payment.id)
      .map(({ id, type }) => ({ id, type }));
  return {
    isOpen,
    seen,
    listOf,
    until: (group: Group, type: string) =>
      eventually(async () => listOf(group).some((event) => event.type === type) || undefined),
    close: async () => {
      stop.abort();
      await isOver;
    },
  };
}

async function payGroup(slots: number): Promise<Group> {
  const group = await newGroup(api, slots);
  for (let index = 0; index < slots; index++)
    await paySlot(shared.stack, api, group, index, payer(`p${index}`));
  return group;
}

/** The events of a group as its webhook endpoint was sent them. */
async function findSent(group: Group): Promise<object[]> {
  await endpoint.accepted('group_payment.paid', group.group_payment.id);
  return endpoint.deliveries
    .filter(({ event }) => event.data['group_payment_id'] === group.group_payment.id)
    .map(({ event: { id, type } }) => ({ id, type }));
}
const sorted = (events: readonly object[]) => events.map((event) => JSON.stringify(event)).toSorted();

describe('a stream of events', () => {
  it('a stream delivers each event of a paid group once, in one piece or resumed again and again', async () => {
    const whole = follow(keys.mine);
    let streams = 0;
    /** Lets each stream live for one event. */
    const cutting: typeof fetch = async (url, init) => {
      const answer = await fetch(url, init);
      streams += 1;
      return new Response(answer.body && cutAfterEvent(answer.body), answer);
    };
    const cut = follow(keys.mine, { fetch: cutting });
    await Promise.all([whole.isOpen, cut.isOpen]);
    const group = await payGroup(2);
    await Promise.all([whole.until(group, 'group_payment.paid'), cut.until(group, 'group_payment.paid')]);
    const sent = sorted(await findSent(group));
    expect(sent.length).toBeGreaterThanOrEqual(5);
    await eventually(async () => cut.listOf(group).length >= sent.length || undefined);
    expect(sorted(whole.listOf(group))).toEqual(sent);
    expect(sorted(cut.listOf(group))).toEqual(sent);
    expect(streams).toBeGreaterThan(3);
  });

  it('a stream that is resumed later delivers what arrived in between, once', async () => {
    const before = follow(keys.mine);
    const begin = await before.isOpen;
    await before.close();
    const group = await payGroup(1);
    const sent = sorted(await findSent(group));
    const after = follow(keys.mine, { after: begin });
    await after.until(group, 'group_payment.paid');
    expect(sorted(after.listOf(group))).toEqual(sent);
    const last = after.seen.at(-1)?.id ?? '';
    await after.close();
    const again = follow(keys.mine, { after: last });
    expect(await again.isOpen).toBe(last);
    const next = await payGroup(1);
    await again.until(next, 'group_payment.paid');
    expect(again.listOf(group)).toEqual([]);
  });

  it('another merchant’s key and the other mode’s see nothing of the events, wherever they begin (S9, Q18)', async () => {
    const strangers = [keys.theirs, keys.live].flatMap((key) => [follow(key), follow(key, { after: ALL })]);
    await Promise.all(strangers.map(({ isOpen }) => isOpen));
    const group = await payGroup(1);
    const sent = await findSent(group);
    const mine = follow(keys.mine, { after: ALL });
    await mine.until(group, 'group_payment.paid');
    const [event] = mine.listOf(group);
    for (const key of [keys.theirs, keys.live]) {
      const refusal = await follow(key, { after: event?.id ?? '' }).isOpen.catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(GroupPaymentsError);
      expect(refusal).toMatchObject({ status: 404, code: 'not_found' });
    }
    const ids = new Set(mine.seen.map(({ id }) => id));
    expect(ids.size).toBeGreaterThanOrEqual(sent.length);
    expect(strangers.flatMap(({ seen }) => seen).filter(({ id }) => ids.has(id))).toEqual([]);
  });
});

/** Cuts a stream in the second event after its greeting. */
function cutAfterEvent(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const encoder = new TextEncoder();
  let text = '';
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await reader.read();
      if (done) return controller.close();
      const sent = text.length;
      text += value;
      const event = /\ndata: \{"id"[^\n]*\n\n/.exec(text);
      const end = event ? event.index + event[0].length + 10 : text.length;
      controller.enqueue(encoder.encode(text.slice(sent, end)));
      if (text.length < end || !event) return;
      await reader.cancel();
      controller.error(new Error('cut'));
    },
    cancel: () => reader.cancel(),
  });
}
