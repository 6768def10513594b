import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openEdge, type Edge } from './support/edge.ts';
import { events } from './support/fake-dispatcher.ts';

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

const readCursor = (body: Readonly<Record<string, unknown>>) =>
  (body['pagination'] as { next_cursor: string | null }).next_cursor;

describe('GET /v1/events 200', () => {
  it('events are returned as they were sent, page by page', async () => {
    const first = await edge.get('/v1/events?limit=1');
    expect(first.status).toBe(200);
    const cursor = readCursor(first.body);
    expect(first.body).toEqual({
      events: [events[0]],
      pagination: { limit: 1, has_more: true, next_cursor: cursor },
    });
    const second = await edge.get(`/v1/events?limit=1&cursor=${String(cursor)}`);
    expect(second.body).toEqual({
      events: [events[1]],
      pagination: { limit: 1, has_more: false, next_cursor: null },
    });
  });

  it('events are requested with every filter, and times as instants', async () => {
    const group_payment_id = String(events[0]?.data['group_payment_id']);
    const query = new URLSearchParams({
      type: 'group_payment.paid',
      group_payment_id,
      created_after: '2026-01-01T01:00:00+01:00',
      created_before: '2026-01-03T00:00:00.123Z',
      delivered: 'false',
    });
    expect((await edge.get(`/v1/events?${query.toString()}`)).status).toBe(200);
    expect(edge.fakes.received.dispatcher).toEqual([
      {
        merchant_id: 'm1',
        mode: 'test',
        limit: 20,
        type: 'group_payment.paid',
        group_payment_id,
        created_after: '2026-01-01T00:00:00.000Z',
        created_before: '2026-01-03T00:00:00.123Z',
        delivered: false,
      },
    ]);
  });

  it('events are those of this merchant and mode only (Q18)', async () => {
    for (const key of [live, stranger])
      expect((await edge.get('/v1/events', { key })).body['events']).toEqual([]);
  });
});

describe('GET /v1/events 400', () => {
  it.each([
    ['type=group_payment.lost', /^type: must be one of payment_intent\./],
    ['group_payment_id=abc', /^group_payment_id: must be a UUID$/],
    ['created_after=yesterday', /^created_after: must be an ISO 8601 date/],
    ['created_before=2026-02-30T00:00:00Z', /^created_before: must be an ISO 8601 date/],
    ['delivered=maybe', /^delivered: must be one of true, false$/],
    ['delivered=', /^delivered: must be one of true, false$/],
    ['limit=0', /^limit: must be at least 1$/],
    ['limit=x', /^limit: must be an integer$/],
    ['cursor=a.b', /^cursor: has the wrong form$/],
    ['cursor=AAAA', /^cursor: is not a cursor of this list$/],
    ['offset=0', /^offset: is not a known field$/],
  ])('a list of events with ?%s is a 400', async (query, reason) => {
    const reply = await edge.get(`/v1/events?${query}`);
    expect(reply.status).toBe(400);
    expect(String(reply.body['message']).replace('Validation error: ', '')).toMatch(reason);
  });

  it('a cursor of another merchant or mode is a 400 (S9)', async () => {
    const cursor = String(readCursor((await edge.get('/v1/events?limit=1')).body));
    for (const key of [live, stranger])
      expect((await edge.get(`/v1/events?cursor=${cursor}`, { key })).status).toBe(400);
  });
});

describe('GET /v1/events/{id}', () => {
  it('an event is returned as it was sent', async () => {
    const reply = await edge.get(`/v1/events/${String(events[0]?.id)}`);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual(events[0]);
  });

  it('an unknown event, one of the other mode or merchant, or no UUID is a 404', async () => {
    const id = String(events[0]?.id);
    for (const [path, key] of [
      ['0198c3f0-0000-7000-8000-000000000000', edge.key],
      ['abc', edge.key],
      [id, live],
      [id, stranger],
    ]) {
      const reply = await edge.get(`/v1/events/${path}`, { key: key ?? '' });
      expect([reply.status, reply.body['message']]).toEqual([404, 'event not found']);
    }
  });

  it('an event without a key is a 401', async () => {
    for (const path of ['/v1/events', `/v1/events/${String(events[0]?.id)}`])
      expect((await edge.get(path, { headers: { authorization: undefined } })).status).toBe(401);
  });
});
