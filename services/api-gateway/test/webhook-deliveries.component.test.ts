import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openEdge, type Edge } from './support/edge.ts';

let edge: Edge;
let live: string;
let stranger: string;
beforeAll(async () => {
  edge = await openEdge();
  live = (await edge.addKey('live')).key;
  stranger = (await edge.addKey('test', { merchant_id: 'm2' })).key;
});
afterAll(() => edge?.close());
beforeEach(() => edge.fakes.reset());

const UNKNOWN = '0198c3f0-0000-7000-8000-000000000000';
const made = async (): Promise<string> =>
  String((await edge.post('/v1/webhooks', { url: 'https://shop.example.com/hooks' })).body['id']);
const test = (id: string) => edge.post(`/v1/webhooks/${id}/test`, { event_type: 'group_payment.paid' });
const since = '2026-01-01T00:00:00Z';

describe('POST /roll-secret', () => {
  it.each([0, 3_600, 86_400, 604_800])(
    'a roll with an overlap of %i s returns the secret, this once',
    async (seconds) => {
      const id = await made();
      const reply = await edge.post(`/v1/webhooks/${id}/roll-secret`, { overlap_seconds: seconds });
      expect(reply.status).toBe(200);
      expect(reply.body).toMatchObject({ id, secret: expect.stringMatching(/^whsec_/) });
      expect((await edge.get(`/v1/webhooks/${id}`)).text).not.toContain('whsec_');
    },
  );

  it.each([undefined, {}])('a roll with the body %j has an overlap of a day (Q34)', async (body) => {
    const reply = await edge.post(`/v1/webhooks/${await made()}/roll-secret`, body);
    expect(reply.status).toBe(200);
    expect(edge.fakes.received.dispatcher.at(-1)).toMatchObject({
      overlap_seconds: 86_400,
    });
  });

  it.each([
    [{ overlap_seconds: 60 }, 'overlap_seconds: must be one of 0, 3600, 86400, 604800'],
    [{ overlap_seconds: '0' }, 'overlap_seconds: must be an integer'],
    [{ overlap_seconds: 0, secret: 'whsec_mine' }, 'secret: is not a known field'],
  ])('a roll with %j is a 400', async (body, reason) => {
    const reply = await edge.post(`/v1/webhooks/${await made()}/roll-secret`, body);
    expect([reply.status, reply.body['message']]).toEqual([400, `Validation error: ${reason}`]);
  });
});

describe('POST /test', () => {
  it('a test event is a 201 with its delivery', async () => {
    const reply = await test(await made());
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ is_test_event: true, event_type: 'group_payment.paid' });
  });

  it.each([undefined, {}])('a test event with the body %j is group_payment.paid (Q34)', async (body) => {
    const reply = await edge.post(`/v1/webhooks/${await made()}/test`, body);
    expect(reply).toMatchObject({
      status: 201,
      body: { event_type: 'group_payment.paid' },
    });
  });

  it.each([
    [{ event_type: 'group_payment.lost' }, /^Validation error: event_type: must be one of payment_intent\./],
  ])('a test event with %j is a 400', async (body, message) => {
    const reply = await edge.post(`/v1/webhooks/${await made()}/test`, body);
    expect(reply.status).toBe(400);
    expect(reply.body['message']).toMatch(message);
  });
});

describe('GET /deliveries', () => {
  it('the list of deliveries is paged, each delivery once', async () => {
    const id = await made();
    for (let count = 0; count < 5; count += 1) await test(id);
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const reply = await edge.get(
        `/v1/webhooks/${id}/deliveries?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      expect(reply.status).toBe(200);
      const page = reply.body as {
        deliveries: { id: string }[];
        pagination: { limit: number; has_more: boolean; next_cursor: string | null };
      };
      found.push(...page.deliveries.map((delivery) => delivery.id));
      cursor = page.pagination.next_cursor;
      expect(page.pagination).toEqual({ limit: 2, has_more: cursor !== null, next_cursor: cursor });
    }
    expect([found.length, new Set(found).size]).toEqual([5, 5]);
  });

  it('the list of deliveries passes the filters on', async () => {
    const id = await made();
    await edge.get(`/v1/webhooks/${id}/deliveries?state=held&event_type=group_payment.paid`);
    expect(edge.fakes.received.dispatcher).toMatchObject([
      { endpoint_id: id, state: 'held', event_type: 'group_payment.paid', limit: 20, mode: 'test' },
    ]);
  });

  it.each([
    ['limit=0', 'limit: must be at least 1'],
    ['limit=101', 'limit: must be at most 100'],
    ['state=sending', 'state: must be one of pending, delivered, failed, held'],
    ['state=held&state=held', 'state: must be given once'],
    ['cursor=abc', 'cursor: is not a cursor of this list'],
    ['page=2', 'page: is not a known field'],
  ])('the list of deliveries with ?%s is a 400', async (query, reason) => {
    const reply = await edge.get(`/v1/webhooks/${await made()}/deliveries?${query}`);
    expect([reply.status, reply.body['message']]).toEqual([400, `Validation error: ${reason}`]);
  });

  it("a cursor of another endpoint's list is a 400 (S9)", async () => {
    const [one, other] = [await made(), await made()];
    await test(one);
    await test(one);
    const { body } = await edge.get(`/v1/webhooks/${one}/deliveries?limit=1`);
    const { next_cursor } = body['pagination'] as { next_cursor: string };
    const reply = await edge.get(`/v1/webhooks/${other}/deliveries?cursor=${next_cursor}`);
    expect(reply.body['message']).toBe('Validation error: cursor: is not a cursor of this list');
  });
});

describe('POST /resend', () => {
  it('a resend is a 202 with the delivery', async () => {
    const id = await made();
    const sent = (await test(id)).body['id'];
    const reply = await edge.post(`/v1/webhooks/${id}/deliveries/${String(sent).toUpperCase()}/resend`);
    expect(reply.status).toBe(202);
    expect(reply.body).toMatchObject({ id: sent, resend_pending: true });
  });

  it.each([UNKNOWN, 'abc'])('a resend of a delivery %s is a 404', async (delivery) => {
    const reply = await edge.post(`/v1/webhooks/${await made()}/deliveries/${delivery}/resend`);
    expect([reply.status, reply.body['message']]).toEqual([404, 'delivery not found']);
  });
});

describe('POST /recover', () => {
  it('a recovery is a 202 with the recovery, which can be read', async () => {
    const id = await made();
    const reply = await edge.post(`/v1/webhooks/${id}/recover`, {
      since,
      until: '2026-01-02T00:00:00+01:00',
    });
    expect(reply.status).toBe(202);
    expect(reply.body).toMatchObject({
      since: '2026-01-01T00:00:00.000Z',
      until: '2026-01-01T23:00:00.000Z',
    });
    const found = await edge.get(`/v1/webhooks/${id}/recoveries/${String(reply.body['id'])}`);
    expect(found.body).toEqual(reply.body);
  });

  it.each([
    [{}, 'since: is required'],
    [{ since: 'yesterday' }, 'since: must be an ISO 8601 date and time with a time zone offset'],
    [{ since: '2026-01-01T00:00:00' }, 'since: must be an ISO 8601 date and time with a time zone offset'],
    [{ since, until: '2025-01-01T00:00:00Z' }, 'until: must be later than since'],
    [{ since, until: null }, 'until: must be a string'],
  ])('a recovery with %j is a 400', async (body, reason) => {
    const reply = await edge.post(`/v1/webhooks/${await made()}/recover`, body);
    expect([reply.status, reply.body['message']]).toEqual([400, `Validation error: ${reason}`]);
  });
});

describe('404', () => {
  const routes = [
    ['POST', 'roll-secret', { overlap_seconds: 0 }],
    ['POST', 'test', { event_type: 'group_payment.paid' }],
    ['GET', 'deliveries', undefined],
    ['POST', `deliveries/${UNKNOWN}/resend`, undefined],
    ['POST', 'recover', { since }],
    ['GET', `recoveries/${UNKNOWN}`, undefined],
  ] as const;
  it.each(routes)(
    '%s /%s of an unknown endpoint, of the other mode or merchant, is a 404 (Q18)',
    async (method, path, body) => {
      const id = await made();
      for (const [of, key] of [
        [UNKNOWN, edge.key],
        ['abc', edge.key],
        [id, live],
        [id, stranger],
      ]) {
        const reply = await edge.send(method, `/v1/webhooks/${of}/${path}`, { body, key: key ?? '' });
        expect([reply.status, reply.body['message']]).toEqual([404, 'webhook endpoint not found']);
      }
    },
  );
});
