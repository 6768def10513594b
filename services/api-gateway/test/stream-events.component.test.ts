import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { followEvents, GroupPaymentsError } from '@group-payments/client';
import { eventually } from '@gp/testing';
import { followKeys } from '../src/app/directories/follow-changes.ts';
import { openEdge, type Edge } from './support/edge.ts';
import { openStream, type Stream } from './support/event-stream.ts';
import { arriving, events, makeEvent } from './support/fake-dispatcher.ts';

const PATH = '/v1/events/stream';
const ALL = '00000000-0000-0000-0000-000000000000';
const [first, second] = events.map(({ id }) => id);

let edge: Edge;
let live: string;
let stranger: string;
const open: Stream[] = [];
beforeAll(async () => {
  edge = await openEdge({ limits: { eventStreamsPerMerchant: 3, eventStreams: 4 } });
  live = (await edge.addKey('live')).key;
  stranger = (await edge.addKey('test', { merchant_id: 'm2' })).key;
});
afterAll(() => edge?.close());
afterEach(async () => {
  await Promise.all(open.splice(0).map((stream) => stream.close()));
  arriving.length = 0;
  edge.fakes.reset();
});

async function follow(o: { key?: string; query?: string; lastEventId?: string } = {}): Promise<Stream> {
  const stream = await openStream(`http://127.0.0.1:${edge.port}${PATH}${o.query ?? ''}`, {
    authorization: `Bearer ${o.key ?? edge.key}`,
    ...(o.lastEventId !== undefined && { 'last-event-id': o.lastEventId }),
  });
  open.push(stream);
  return stream;
}
/** A place is given back some turns of the event loop after its reader has left. */
const followOnceThereIsRoom = (o: Parameters<typeof follow>[0] = {}) =>
  eventually(async () => {
    const stream = await follow(o);
    return stream.status === 200 ? stream : void (await stream.close());
  });

describe('GET /v1/events/stream 200', () => {
  it('a stream says where it begins, then sends each event that arrives as webhooks send it', async () => {
    const stream = await followOnceThereIsRoom();
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'ratelimit-limit': expect.any(String),
    });
    expect(await stream.next()).toEqual({
      name: 'ready',
      id: second,
      retry: '1000',
      data: { last_event_id: second },
    });
    const event = makeEvent('group_payment.refunded');
    arriving.push(event);
    expect(await stream.nextMessage()).toEqual({ name: 'message', id: event.id, data: event });
  });

  it('a stream continues after the event that its header names, or else its query, each event once', async () => {
    const resumed = await followOnceThereIsRoom({ lastEventId: first!.toUpperCase() });
    expect([await resumed.nextMessage(), await resumed.nextMessage()]).toMatchObject([
      { id: first },
      { id: second },
    ]);
    await resumed.close();
    const all = await followOnceThereIsRoom({ query: `?after=${ALL}` });
    const three = [await all.nextMessage(), await all.nextMessage(), await all.nextMessage()];
    expect(three).toMatchObject([{ id: ALL, name: 'ready' }, { id: first }, { id: second }]);
    await all.close();
    const both = await followOnceThereIsRoom({ query: `?after=${ALL}`, lastEventId: second! });
    expect(await both.next()).toMatchObject({ id: second, name: 'ready' });
  });

  it('a stream sends a comment while nothing happens, and many events without a pause', async () => {
    const stream = await followOnceThereIsRoom();
    await stream.next();
    expect(await stream.next()).toEqual({ comment: 'heartbeat' });
    arriving.push(...Array.from({ length: 50 }, () => makeEvent('group_payment.paid')));
    const ids: unknown[] = [];
    while (ids.length < 50) ids.push((await stream.nextMessage())?.id);
    expect(ids).toEqual(arriving.map(({ id }) => id));
  });

  it('a stream asks for the next events only when its reader has taken those before', async () => {
    await followOnceThereIsRoom({ query: `?after=${ALL}` });
    const big = makeEvent('group_payment.paid');
    const filler = { ...big.data, metadata: { text: 'x'.repeat(16_000) } };
    arriving.push(
      ...Array.from({ length: 4_000 }, (_, n) => ({ ...makeEvent(big.type), data: { ...filler, n } })),
    );
    const readAsked = () => edge.fakes.received.dispatcher.length;
    // What the sockets hold is a few megabytes; 64 MB wait.
    await eventually(async () => {
      const before = readAsked();
      await new Promise((resolve) => setTimeout(resolve, 300));
      return (before > 0 && readAsked() === before) || undefined;
    });
    expect(readAsked()).toBeLessThan(150);
  }, 60_000);
});

describe('the limits of a stream', () => {
  it('a merchant has a few streams open in each mode; one that ended makes room (Q11)', async () => {
    const streams = [await followOnceThereIsRoom(), await follow(), await follow()];
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
    const refused = await edge.get(PATH);
    expect([refused.status, refused.headers['ratelimit-reason'], refused.headers['retry-after']]).toEqual([
      429,
      'too_many_streams',
      '10',
    ]);
    expect(refused.body).toMatchObject({ hint: expect.stringContaining('at most 3 in a mode') });
    expect((await follow({ key: live })).status).toBe(200);
    expect((await edge.get(PATH, { key: stranger })).status).toBe(503);
    await streams[0]?.close();
    await followOnceThereIsRoom();
  });

  it('a stream ends when its key is revoked, and a new one is a 401', async () => {
    const { key, record } = await edge.addKey('test');
    const stream = await followOnceThereIsRoom({ key });
    await stream.next();
    const revoked = { ...record, revoked_at: new Date().toISOString(), revision: 2 };
    await followKeys(edge.db)(revoked);
    edge.directories.keys.update(revoked);
    while (await stream.next());
    expect((await edge.get(PATH, { key })).status).toBe(401);
  });
});

describe('a stream is refused', () => {
  it.each([
    ['?after=x', {}, 'Validation error: after: must be a UUID'],
    ['?limit=1', {}, 'Validation error: limit: is not a known field'],
    ['', { 'last-event-id': '7' }, 'Validation error: Last-Event-ID: must be the id of an event'],
  ])('a stream with %s %j is a 400', async (query, headers, message) => {
    const reply = await edge.get(PATH + query, { headers });
    expect([reply.status, reply.body['message']]).toEqual([400, message]);
  });

  it('a stream after an event of another merchant or mode, or of none, is a 404 (S9, Q18)', async () => {
    for (const key of [live, stranger])
      for (const reply of [
        await edge.get(`${PATH}?after=${first}`, { key }),
        await edge.get(PATH, { key, headers: { 'last-event-id': first } }),
        await edge.get(`${PATH}?after=0198c3f0-0000-7000-8000-000000000000`, { key }),
      ])
        expect([reply.status, reply.body['message']]).toEqual([404, 'event not found']);
    expect((await edge.get(PATH, { headers: { authorization: undefined } })).status).toBe(401);
  });

  it('a stream of another merchant or mode is sent none of these events, from the beginning on (S9, Q18)', async () => {
    for (const key of [live, stranger]) {
      const stream = await followOnceThereIsRoom({ key, query: `?after=${ALL}` });
      arriving.push(makeEvent('group_payment.paid'));
      expect([await stream.next(), await stream.next()]).toEqual([
        expect.objectContaining({ name: 'ready', id: ALL }),
        { comment: 'heartbeat' },
      ]);
      await stream.close();
    }
  });
});

describe('followEvents of the client', () => {
  const settings = () => ({ key: edge.key, baseUrl: `http://127.0.0.1:${edge.port}`, retries: 0 });

  it('followEvents yields each event once, over streams that are cut between and within events', async () => {
    const stop = new AbortController();
    let streams = 0;
    const cutting: typeof fetch = async (url, init) => {
      const answer = await fetch(url, init);
      streams += 1;
      return new Response(cutAfter(answer, 700), { status: answer.status, headers: answer.headers });
    };
    const seen: string[] = [];
    const lost: number[] = [];
    arriving.push(...Array.from({ length: 10 }, () => makeEvent('group_payment.paid')));
    const following = followEvents(
      { ...settings(), fetch: cutting },
      { after: ALL, signal: stop.signal, onLost: (_why, inMs) => lost.push(inMs), pauseMs: 10 },
    );
    for await (const event of following) {
      seen.push(event.id);
      if (seen.length === 12) stop.abort();
    }
    expect(seen).toEqual([first, second, ...arriving.map(({ id }) => id)]);
    expect(streams).toBeGreaterThan(3);
    expect(lost.length).toBe(streams - 1);
  });

  it('followEvents rejects where no retry can help: a wrong key, an event that is unknown', async () => {
    for (const [o, status] of [
      [{ key: 'sk_test_nobody' }, 401],
      [{ after: '0198c3f0-0000-7000-8000-000000000000' }, 404],
    ] as const) {
      const { key = edge.key, after } = { key: undefined, after: undefined, ...o };
      const following = followEvents(
        { ...settings(), key: key ?? edge.key },
        after === undefined ? {} : { after },
      );
      const failure = await following.next().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(GroupPaymentsError);
      expect(failure).toMatchObject({ status });
    }
  });

  it('followEvents takes a stream that is silent for too long as lost', async () => {
    const stop = new AbortController();
    const silent: typeof fetch = async (_url, init) =>
      new Response(
        new ReadableStream({
          start(controller) {
            init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
          },
        }),
      );
    const reasons: string[] = [];
    const following = followEvents(
      { ...settings(), fetch: silent, retries: 4 },
      {
        signal: stop.signal,
        silenceMs: 20,
        pauseMs: 1,
        onLost: (why) => (reasons.push(why.message), reasons.length === 2 && stop.abort()),
      },
    );
    expect(await following.next()).toMatchObject({ done: true });
    expect(reasons[0]).toMatch(/silent/);
  });
});

/** The beginning of an answer, then a cut connection. */
function cutAfter(answer: Response, bytes: number): ReadableStream<Uint8Array> {
  const body: ReadableStream<Uint8Array> = answer.body!;
  const reader = body.getReader();
  let left = bytes;
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await reader.read();
      if (done) return controller.close();
      controller.enqueue(value.subarray(0, left));
      left -= value.length;
      if (left > 0) return;
      await reader.cancel();
      controller.error(new Error('cut'));
    },
    cancel: () => reader.cancel(),
  });
}
