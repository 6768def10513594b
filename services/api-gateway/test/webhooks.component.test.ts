import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openEdge, type Edge } from './support/edge.ts';

let edge: Edge;
let live: string;
beforeAll(async () => {
  edge = await openEdge();
  live = (await edge.addKey('live')).key;
});
afterAll(() => edge?.close());

const create = (body: object) => edge.post('/v1/webhooks', body);
const url = 'https://shop.example.com/hooks';
const made = async (): Promise<string> => String((await create({ url })).body['id']);
const fields = ['created_at', 'description', 'enabled', 'event_types', 'id', 'updated_at', 'url'];

describe('POST 201', () => {
  it('a new endpoint returns its secret, this once', async () => {
    const reply = await create({ url, description: 'orders', event_types: ['group_payment.paid'] });
    expect(reply.status).toBe(201);
    expect(reply.headers['location']).toBe(`/v1/webhooks/${String(reply.body['id'])}`);
    expect(Object.keys(reply.body).sort()).toEqual([...fields, 'secret'].sort());
    expect(reply.body).toMatchObject({
      url,
      description: 'orders',
      enabled: true,
      event_types: ['group_payment.paid'],
      secret: expect.stringMatching(/^whsec_/),
    });
  });

  it.each([
    'http://localhost:3000/hooks',
    'http://127.0.0.1:3000',
    'http://[::1]/x',
    'https://shop.example:8443/a?b=c',
  ])('a new endpoint accepts the address %s', async (address) =>
    expect((await create({ url: address })).status).toBe(201),
  );

  it('an endpoint without a list of events gets all', async () => {
    expect((await create({ url })).body).toMatchObject({ description: null, event_types: [] });
  });
});

describe('POST 400', () => {
  const https = 'must use https (http is allowed only for localhost)';
  it.each([
    [{}, 'url', 'is required'],
    [{ url: 'http://shop.example.com' }, 'url', https],
    [{ url: 'http://localhost.example.com' }, 'url', https],
    [{ url: 'http://127.0.0.1.example.com' }, 'url', https],
    [{ url: 'ftp://shop.example.com' }, 'url', https],
    [{ url: 'javascript:alert(1)' }, 'url', https],
    [{ url: 'https://user:pass@shop.example.com' }, 'url', 'must not contain credentials'],
    [{ url: '/hooks' }, 'url', 'must be an absolute URL'],
    [{ url: 'https://' }, 'url', 'must be an absolute URL'],
    [{ url: `https://shop.example.com/${'x'.repeat(2_100)}` }, 'url', 'must have at most 2048 characters'],
    [{ url, description: 'x'.repeat(256) }, 'description', 'must have at most 255 characters'],
    [
      { url, event_types: ['group_payment.paid', 'group_payment.paid'] },
      'event_types',
      'must not repeat an item',
    ],
    [{ url, event_types: 'all' }, 'event_types', 'must be an array'],
    [{ url, secret: 'whsec_mine' }, 'secret', 'is not a known field'],
  ])('an invalid endpoint is a 400: %j', async (body, param, reason) => {
    const reply = await create(body);
    expect(reply.status).toBe(400);
    expect(reply.body['message']).toBe(`Validation error: ${param}: ${reason}`);
  });

  it('an unknown event type gets an error that lists the known ones', async () => {
    const reply = await create({ url, event_types: ['group_payment.lost'] });
    expect(reply.body['message']).toMatch(
      /^Validation error: event_types\[0\]: must be one of payment_intent\./,
    );
  });
});

describe('GET 200', () => {
  it('endpoints are returned one and all, never with the secret', async () => {
    const id = await made();
    const one = await edge.get(`/v1/webhooks/${id}`);
    expect(Object.keys(one.body).sort()).toEqual(fields);
    const all = await edge.get('/v1/webhooks');
    expect(all.body['webhook_endpoints']).toContainEqual(one.body);
    expect(all.text).not.toContain('whsec_');
  });

  it("the list holds no other mode's", async () => {
    await made();
    expect((await edge.get('/v1/webhooks', { key: live })).body).toEqual({ webhook_endpoints: [] });
  });
});

describe('PATCH 200', () => {
  it.each([
    [{ url: 'https://new.example.com/' }],
    [{ description: 'new' }],
    [{ description: null }],
    [{ enabled: false }],
    [{ event_types: [] }],
    [{ event_types: ['payment_intent.failed'], enabled: true }],
  ])('a change of an endpoint is accepted: %j', async (change) => {
    const reply = await edge.send('PATCH', `/v1/webhooks/${await made()}`, { body: change });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject(change);
    expect(Object.keys(reply.body).sort()).toEqual(fields);
  });
});

describe('PATCH 400', () => {
  it.each([
    [{}, 'body', 'must have at least 1 field'],
    [{ url: null }, 'url', 'must be a string'],
    [{ url: 'http://shop.example.com' }, 'url', 'must use https (http is allowed only for localhost)'],
    [{ description: 7 }, 'description', 'must be a string or null'],
    [{ enabled: 'no' }, 'enabled', 'must be a boolean'],
    [{ id: 'x' }, 'id', 'is not a known field'],
  ])('a change of an endpoint is refused with 400: %j', async (change, param, reason) => {
    const reply = await edge.send('PATCH', `/v1/webhooks/${await made()}`, { body: change });
    expect(reply.status).toBe(400);
    expect(reply.body['message']).toBe(`Validation error: ${param}: ${reason}`);
  });
});

describe('DELETE 200', () => {
  it('a deleted endpoint is gone', async () => {
    const id = await made();
    const reply = await edge.send('DELETE', `/v1/webhooks/${id}`);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ id, deleted: true });
    expect((await edge.get(`/v1/webhooks/${id}`)).status).toBe(404);
  });
});

describe('404', () => {
  it.each(['GET', 'PATCH', 'DELETE'])(
    'an endpoint that is unknown, in the other mode, or no UUID is a 404: %s',
    async (method) => {
      const body = method === 'PATCH' ? { enabled: true } : undefined;
      const id = await made();
      for (const [path, key] of [
        ['0198c3f0-0000-7000-8000-000000000000', edge.key],
        [id, live],
        ['abc', edge.key],
      ]) {
        const reply = await edge.send(method, `/v1/webhooks/${path}`, { body, key: key ?? '' });
        expect(reply.status).toBe(404);
        expect(reply.body).toMatchObject({ error: 'Not Found', message: 'webhook endpoint not found' });
      }
    },
  );
});
