import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import { toKeyMessage, newKey, openEdge, type Edge } from './support/edge.ts';

let edge: Edge;
beforeAll(async () => (edge = await openEdge({ limits: { trustedProxies: 'loopback' } })));
afterAll(() => edge?.close());

const list = (key: string, from?: string) =>
  edge.get('/v1/group-payments', { key, headers: from === undefined ? {} : { 'x-forwarded-for': from } });
const refused = { status: 403, body: { error: 'Forbidden', code: 'insufficient_scope', version: '1.0.0' } };
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

describe('a restricted key', () => {
  it('a restricted key may do what its scopes name, and the rest is a 403 (K6)', async () => {
    const { key } = await edge.addKey('test', { scopes: ['read'] });
    expect((await list(key)).status).toBe(200);
    const id = '0198c3f0-0000-7000-8000-00000000000a';
    const others = [
      '/v1/group-payments',
      `/v1/group-payments/${id}/pay`,
      `/v1/group-payments/${id}/refund`,
      `/v1/group-payments/${id}/session`,
      `/v1/group-payments/${id}/roll-checkout-link`,
      `/v1/group-payments/${id}/roll-organiser-link`,
      `/v1/group-payments/${id}/cancel`,
      '/v1/webhooks',
      '/v1/test/clock/advance',
    ];
    for (const path of others) expect(await edge.post(path, {}, { key })).toMatchObject(refused);
  });

  it('a restricted key with the scope for refunds only neither reads nor pays (K6)', async () => {
    const { key } = await edge.addKey('test', { scopes: ['refunds'] });
    expect(await list(key)).toMatchObject(refused);
    const refund = await edge.post(
      '/v1/group-payments/0198c3f0-0000-7000-8000-00000000000a/refund',
      {},
      { key },
    );
    expect(refund.status).not.toBe(403);
  });

  it('a restricted key with an unknown right, or none, may do nothing (K6)', async () => {
    for (const scopes of [['everything'], []])
      expect(await list((await edge.addKey('test', { scopes })).key)).toMatchObject(refused);
  });

  it('a restricted key ends at its instant, although no message about it has come (K6)', async () => {
    const { key } = await edge.addKey('test', { expires_at: inSeconds(1) });
    expect((await list(key)).status).toBe(200);
    await eventually(async () => ((await list(key)).status === 401 ? true : undefined));
    expect((await list((await edge.addKey('live', { expires_at: inSeconds(-1) })).key)).status).toBe(401);
  });

  it.each([
    ['203.0.113.7', true],
    ['203.0.113.8', false],
    ['198.51.100.200', true],
    ['::ffff:203.0.113.7', true],
    ['2001:db8:1::5', true],
    ['2001:db8:2::5', false],
  ])('a restricted key from %s: %s (K6)', async (from, isAllowed) => {
    const allowed_addresses = ['203.0.113.7/32', '198.51.100.0/24', '2001:db8:1::/48'];
    const { key } = await edge.addKey('test', { allowed_addresses });
    const reply = await list(key, from);
    if (isAllowed) expect(reply.status).toBe(200);
    else expect(reply).toMatchObject(refused);
  });

  it('a restricted key is as restricted when it is read from the projection (K6)', async () => {
    const { key, record } = newKey('test', { scopes: ['webhooks'], allowed_addresses: ['127.0.0.0/8'] });
    await edge.others.publish(toKeyMessage(record));
    await eventually(async () => ((await list(key)).status === 403 ? true : undefined));
    edge.pass(10_001);
    expect(await list(key)).toMatchObject(refused);
    expect(await edge.rows('select scopes from api_keys where key_id = $1', [record.key_id])).toEqual([
      { scopes: ['webhooks'] },
    ]);
  });

  it('a key from before restrictions has every right from everywhere (K6)', async () => {
    const { key } = await edge.addKey('test');
    expect((await list(key, '203.0.113.9')).status).toBe(200);
    expect((await edge.post('/v1/webhooks', {}, { key })).status).toBe(400);
  });
});
