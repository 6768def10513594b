import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { FoundGroup } from '@gp/contracts';
import { replaceSigningKeys } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { metrics } from '@gp/telemetry';
import { eventually } from '@gp/testing';
import { createMinter } from '../src/app/mint-session.ts';
import { found, groupId, intent, intentId, otherSlotId, slotId } from './support/checkout.ts';
import { eventStream } from './support/event-stream.ts';
import { openCheckoutWeb, type CheckoutWeb } from './support/web.ts';

let web: CheckoutWeb;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  web = await openCheckoutWeb({ perToken: 2, perGroup: 50, most: 10 });
  await web.rotate();
});
afterAll(() => web?.close());
beforeEach(() => web.reset());
afterEach(async () => {
  await Promise.all(open.splice(0).map((stream) => stream.close().catch(() => undefined)));
  await isForgotten();
});

/** A place is given back, and an unwatched group dropped, some turns of the event loop after its reader has left. */
const isForgotten = () =>
  eventually(async () => {
    const [streams] = (await metrics.registry.getSingleMetric('gp_live_streams')?.get())?.values ?? [];
    return (streams?.value ?? 0) === 0 || undefined;
  });

const EVENTS = `/v1/group-payments/${groupId}/events`;
const token = async () => (await web.mint()).token;
const ask = async (init: { bearer?: string; path?: string; headers?: Record<string, string> } = {}) => {
  const authorization = `Bearer ${init.bearer ?? (await token())}`;
  return web.ask(init.path ?? EVENTS, { headers: { authorization, ...init.headers } });
};
const follow = async (init: Parameters<typeof ask>[0] = {}) => {
  const answer = await ask(init);
  expect(answer.status).toBe(200);
  const stream = eventStream(answer);
  open.push(stream);
  return stream;
};
/** Relays the outbox until the outcome settles. */
const relayedUntil = async <T>(outcome: Promise<T>): Promise<T> => {
  let isOver = false;
  void outcome.finally(() => (isOver = true)).catch(() => undefined);
  await eventually(async () => {
    await web.relay();
    return isOver || undefined;
  });
  return outcome;
};
const soon = '2030-01-01T00:00:00.000Z';

const collecting = { is_collecting: true, awaits_payers: true, is_settled: false };
const settled = { is_collecting: false, awaits_payers: false, is_settled: true };

/** The group at a version, its first slot reserved or not. */
const groupAt = (
  version: number,
  o: { reserved?: boolean; state?: FoundGroup['group']['state']; facts?: FoundGroup['facts'] } = {},
) => ({
  group: { ...found.group, version, state: o.state ?? 'open' },
  facts: o.facts ?? collecting,
  slots: found.slots.map((slot, index) =>
    index === 0 && o.reserved === true
      ? {
          ...slot,
          state: 'assigned' as const,
          assigned_customer_id: intentId,
          reserved_until: soon,
          metadata: { seat: 'Eve' },
        }
      : slot,
  ),
});
const picture = (answer: Response) =>
  answer.json() as Promise<{ rev: number; server_time: string; slots: unknown[] }>;

describe('the live stream of a group', () => {
  it('the live stream of a group begins with all slots, sends only changes, and names no payer (A11)', async () => {
    web.change(groupAt(3));
    const stream = await follow();
    const first = await stream.next();
    expect(first).toEqual({
      name: 'snapshot',
      id: '3',
      data: {
        rev: 3,
        state: 'open',
        facts: collecting,
        expires_at: found.group.expires_at,
        server_time: expect.any(String),
        slots: [slotId, otherSlotId].map((id) => ({ id, state: 'unassigned', held_until: null })),
      },
    });
    web.change(groupAt(4, { reserved: true }));
    expect(await stream.next()).toEqual({
      name: 'change',
      id: '4',
      data: {
        rev: 4,
        prev: 3,
        state: 'open',
        facts: collecting,
        expires_at: found.group.expires_at,
        server_time: expect.any(String),
        slots: [{ id: slotId, state: 'assigned', held_until: soon }],
      },
    });
  });

  it('the live stream of a group may not be stored or buffered on its way', async () => {
    const answer = await ask();
    open.push(eventStream(answer));
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
  });

  it('a reader that has the newest revision receives no snapshot, and every other reader receives one', async () => {
    web.change(groupAt(7));
    const knows = await follow({ headers: { 'last-event-id': '7' } });
    expect(await knows.next()).toEqual({
      name: 'heartbeat',
      data: { rev: 7, server_time: expect.any(String) },
    });
    for (const id of ['6', '8', 'x', '-1', '9'.repeat(40)]) {
      const stream = await follow({ headers: { 'last-event-id': id } });
      expect(await stream.next()).toMatchObject({ name: 'snapshot', id: '7' });
      await stream.close();
    }
  });

  it('changes that arrive during a look-up are sent with the newest picture', async () => {
    web.change(groupAt(1));
    const stream = await follow();
    await stream.next();
    for (let version = 2; version <= 30; version++)
      web.change(groupAt(version, { reserved: version % 2 === 0 }));
    let last = await stream.next();
    const seen = [last];
    while (last?.data['rev'] !== 30) seen.push((last = await stream.next()));
    let prev = 1;
    for (const event of seen) {
      expect(event?.data['prev']).toBe(prev);
      prev = Number(event?.data['rev']);
    }
  });

  it('a change is sent to all streams of a group after one look-up, and an unwatched group is dropped', async () => {
    let looks = 0;
    web.change(groupAt(1));
    const bearer = await token();
    const other = await token();
    const count = () =>
      web.answer({
        find: async () => {
          looks += 1;
          return groupAt(looks > 1 ? 2 : 1, { reserved: looks > 1 });
        },
      });
    count();
    const streams = await Promise.all([bearer, bearer, other].map((one) => follow({ bearer: one })));
    for (const stream of streams) expect(await stream.next()).toMatchObject({ name: 'snapshot' });
    expect(looks).toBe(1);
    web.others.announce(`note.ledger.group.changed.v1.${groupId}`, { group_id: groupId, version: 2 });
    for (const stream of streams) expect(await stream.next()).toMatchObject({ name: 'change', id: '2' });
    expect(looks).toBe(2);
    await Promise.all(streams.map((stream) => stream.close()));
  });

  it('the live stream of a group ends once nothing of the group changes any more', async () => {
    web.change(groupAt(1));
    const stream = await follow();
    await stream.next();
    web.change(groupAt(2, { state: 'expired', facts: settled }));
    expect(await stream.next()).toMatchObject({ name: 'change', data: { state: 'expired' } });
    expect(await stream.next()).toEqual({ name: 'end', data: { reason: 'final' } });
    expect(await stream.next()).toBeUndefined();
  });

  it('the live stream of a group uses the ledger’s fact that a group is settled, not the name of its state', async () => {
    web.change(groupAt(1, { state: 'capture_failed', facts: { ...settled, is_settled: false } }));
    const stream = await follow();
    await stream.next();
    web.change(groupAt(2, { state: 'capture_failed', facts: settled }));
    expect(await stream.next()).toMatchObject({ name: 'change', id: '2' });
    expect(await stream.next()).toEqual({ name: 'end', data: { reason: 'final' } });
  });

  it('the live stream of a group ends when its tokens are revoked, and later tokens are admitted', async () => {
    const stream = await follow();
    await stream.next();
    await web.revoke();
    expect(await relayedUntil(stream.next())).toEqual({ name: 'end', data: { reason: 'session_ended' } });
    const later = await follow();
    expect(await later.next()).toMatchObject({ name: 'snapshot' });
  });

  it('the live stream of a revoked token ends although no announcement came, and one of a newer token goes on (X15)', async () => {
    const stream = await follow();
    await stream.next();
    await web.revoke();
    const later = await follow();
    await later.next();
    expect(await web.endRevoked()).toBe('idle');
    expect(await stream.next()).toEqual({ name: 'end', data: { reason: 'session_ended' } });
    web.change(groupAt(2, { reserved: true }));
    expect(await later.next()).toMatchObject({ name: 'change', id: '2' });
  });

  it('the loop that ends revoked streams rests while none is open, and looks soon after one opens (X15)', async () => {
    await eventually(async () => ((await web.endRevoked()) === 'empty' ? true : undefined));
    const before = web.wakesOfEndRevoked();
    const stream = await follow();
    await stream.next();
    expect(web.wakesOfEndRevoked().slice(before.length)).toEqual([400]);
    expect(await web.endRevoked()).toBe('idle');
  });

  it('the live stream of a group ends when the key of its token is withdrawn', async () => {
    const stream = await follow();
    await stream.next();
    await web.others.call(replaceSigningKeys, { mode: 'test' });
    expect(await relayedUntil(stream.next())).toEqual({ name: 'end', data: { reason: 'session_ended' } });
  });

  it('the live stream of a group ends with its token', async () => {
    // Shorter than anybody can ask for, so that its end comes while we wait for it; not so short that a machine that stalls
    // begins too late.
    let expires_in = 2;
    const answer = await eventually(async () => {
      const { token: bearer } = await createMinter(web.parts)(found, { expires_in });
      expires_in += 1;
      const asked = await ask({ bearer });
      return asked.status === 200 ? asked : void (await asked.text());
    });
    const stream = eventStream(answer);
    open.push(stream);
    expect(await stream.next()).toMatchObject({ name: 'snapshot' });
    expect(await stream.next()).toEqual({ name: 'end', data: { reason: 'session_ended' } });
  });

  it('the live stream of a group leaves nothing behind when its reader goes away', async () => {
    // Twice as many as may be open at once: a place that is not given back would be missed.
    for (let round = 0; round < 20; round++) {
      const answer = await eventually(async () => {
        const asked = await ask();
        if (asked.status === 200) return asked;
        await asked.text();
        return undefined;
      });
      await answer.body?.cancel();
    }
  });
});

describe('a stream is refused', () => {
  it('a stream of the group of another token is a 404, whatever the path says (A10)', async () => {
    const answer = await ask({ path: `/v1/group-payments/${intentId}/events` });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/^group payment/),
    });
  });

  it('a stream without a live token is a 401: none, junk, another key’s, a revoked one, a secret key', async () => {
    const stale = await token();
    await web.revoke();
    const [head, , signature] = (await token()).split('.');
    const forged = [head, Buffer.from(JSON.stringify({ gp: groupId })).toString('base64url'), signature].join(
      '.',
    );
    for (const bearer of [
      '',
      'x',
      'a.b.c',
      forged,
      stale,
      'sk_test_0123456789',
      `${'x'.repeat(3_000)}.a.b`,
    ]) {
      const answer = await ask({ bearer });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(await answer.json()).toMatchObject({ code: 'unauthorized' });
    }
    expect((await web.ask(EVENTS)).status).toBe(401);
    expect((await web.ask(`${EVENTS}?token=${await token()}`)).status).toBe(401);
  });

  it('a stream beyond what one page needs is a 429 with a time to come again', async () => {
    const bearer = await token();
    await follow({ bearer });
    await follow({ bearer });
    const third = await ask({ bearer });
    expect(third.status).toBe(429);
    expect(third.headers.get('retry-after')).toBe('10');
    expect(await third.json()).toMatchObject({ code: 'rate_limited' });
  });

  it('a stream beyond what the process holds is a 503', async () => {
    let answer = await ask();
    for (let count = 1; answer.status === 200 && count <= 10; count++) {
      open.push(eventStream(answer));
      answer = await ask();
    }
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('10');
  });

  it('a stream is a 503 while the ledger is away, and the next try starts anew', async () => {
    const bearer = await token();
    web.answer({
      find: () => Promise.reject(new AppError('service_unavailable', { retryAfterSeconds: 3 })),
    });
    const answer = await ask({ bearer });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('3');
    web.reset();
    expect(await (await follow({ bearer })).next()).toMatchObject({ name: 'snapshot' });
  });
});

describe('pages on other origins', () => {
  const origin = 'https://shop.test';
  const shown = async (from: string, bearer?: string) => {
    const answer = await ask({
      headers: { origin: from, accept: 'application/json' },
      ...(bearer && { bearer }),
    });
    await answer.text();
    return answer.headers.get('access-control-allow-origin');
  };

  it('a page on another origin may read when the token’s merchant registered it, and in the same mode', async () => {
    await web.register([origin]);
    await web.register(['https://live.test'], { mode: 'live' });
    await web.register(['https://other.test'], { merchant_id: 'm2' });
    expect(await shown(origin)).toBe(origin);
    expect(await shown('https://live.test')).toBeNull();
    expect(await shown('https://other.test')).toBeNull();
    expect(await shown('null')).toBeNull();
  });

  it('a page on another origin sees that a token has ended, wherever it is registered', async () => {
    await web.register([origin]);
    expect(await shown(origin, 'a.b.c')).toBe(origin);
    expect(await shown('https://nobody.test', 'a.b.c')).toBeNull();
  });

  it('a page on another origin gets the permitted methods and headers by a preflight', async () => {
    await web.register([origin]);
    const asked = (from: string) => web.ask(EVENTS, { method: 'OPTIONS', headers: { origin: from } });
    expect(Object.fromEntries((await asked(origin)).headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET',
      'access-control-allow-headers': 'Authorization, Last-Event-ID, If-None-Match',
      vary: 'Origin',
    });
    expect((await asked('https://nobody.test')).headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the picture to ask for, where streams do not pass', () => {
  const json = { accept: 'application/json' };

  it('the picture for pages without streams is what the stream would begin with, and costs nothing while it is the same', async () => {
    web.change(groupAt(5));
    const answer = await ask({ headers: json });
    expect(await picture(answer)).toMatchObject({ rev: 5, state: 'open', slots: [{}, {}] });
    const etag = answer.headers.get('etag') ?? '';
    const again = await ask({ headers: { ...json, 'if-none-match': etag } });
    expect(again.status).toBe(304);
    expect(again.headers.get('etag')).toBe(etag);
    web.change(groupAt(6, { reserved: true }));
    const changed = await ask({ headers: { ...json, 'if-none-match': etag } });
    expect(await picture(changed)).toMatchObject({ rev: 6, slots: [{ held_until: soon }, {}] });
  });
});

describe('the payment of a page', () => {
  const status = (id: string, bearer?: string) =>
    ask({ path: `/v1/group-payments/${groupId}/payments/${id}`, ...(bearer && { bearer }) });

  it.each([
    ['created', false, 'pending'],
    ['processing', false, 'pending'],
    ['preauthorised', false, 'held'],
    ['capture_pending', false, 'held'],
    ['captured', false, 'captured'],
    ['failed', false, 'failed'],
    ['void_pending', false, 'released'],
    // A refused charge is distinguished from a refused card (D5).
    ['capture_failed', false, 'capture_failed'],
    // In doubt is what may or may not be a hold (B1); one that is there stays one (D3).
    ['processing', true, 'pending'],
    ['void_pending', true, 'pending'],
    ['preauthorised', true, 'held'],
    ['capture_pending', true, 'held'],
    ['refund_pending', true, 'captured'],
  ] as const)('a payment in state %s (unknown: %s) is %s on its page', async (state, unknown, shown) => {
    web.answer({ findIntent: async () => ({ ...intent, state, unknown }) });
    expect(await (await status(intentId)).json()).toEqual({
      payment_intent_id: intentId,
      status: shown,
      failure_code: null,
      decline_reason: null,
      slot_ids: intent.slot_ids,
    });
  });

  it('a payment of another group, none, or no id is a 404', async () => {
    expect((await status('x')).status).toBe(404);
    expect((await status(groupId)).status).toBe(404);
    web.answer({ findIntent: async () => ({ ...intent, group_id: intentId }) });
    expect((await status(intentId)).status).toBe(404);
    expect((await status(intentId, 'a.b.c')).status).toBe(401);
  });
});
