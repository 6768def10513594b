import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import type { Reply } from './support/client.ts';
import { createBody, openEdge, type Edge } from './support/edge.ts';

const groups = '/v1/group-payments';
const shape = {
  error: 'Service Unavailable',
  message: 'the service is not available at the moment',
  version: '1.0.0',
  code: 'service_unavailable',
};

function expect503(reply: Reply): void {
  expect(reply.status).toBe(503);
  expect(reply.body).toMatchObject(shape);
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
}

describe('without NATS', () => {
  let edge: Edge;
  beforeAll(async () => (edge = await openEdge()));
  afterAll(() => edge?.close());

  it('every operation that needs another service is a 503 without NATS, and works again when it is back', async () => {
    expect((await edge.post(groups, createBody())).status).toBe(201);
    await edge.nats.down();
    const id = '0198c3f0-0000-7000-8000-00000000000a';
    expect503(await edge.post(groups, createBody()));
    expect503(await edge.get(groups));
    expect503(await edge.post(`${groups}/${id}/pay`, { customer_email: 'a@b.co' }));
    expect503(await edge.get('/v1/webhooks'));
    await edge.nats.up();
    await eventually(async () => ((await edge.post(groups, createBody())).status === 201 ? true : undefined));
  });

  it('a request during the outage resumes under its key', async () => {
    await edge.nats.down();
    const body = createBody();
    const sent = { idempotencyKey: 'outage-1' };
    expect503(await edge.post(groups, body, sent));
    await edge.nats.up();
    await eventually(async () => ((await edge.post(groups, body, sent)).status === 201 ? true : undefined));
    expect((await edge.post(groups, body, sent)).headers['idempotent-replayed']).toBe('true');
  });

  it('a call that no service handles is a 503, too', async () => {
    await edge.fakes.close();
    expect503(await edge.post(groups, createBody()));
  });
});

describe('without Postgres', () => {
  let edge: Edge;
  beforeAll(async () => (edge = await openEdge({ ownPostgres: true })));
  afterAll(() => edge?.close());

  it('known keys work without Postgres; unknown ones, and Idempotency-Keys, get 503 until it is back', async () => {
    expect((await edge.post(groups, createBody())).status).toBe(201);
    const { key } = await edge.addKey('live');
    await edge.postgres?.down();
    expect((await edge.post(groups, createBody())).status).toBe(201);
    expect503(await edge.get(groups, { key }));
    expect503(await edge.post(groups, createBody(), { idempotencyKey: 'outage-2' }));
    edge.pass(10_001);
    expect503(await edge.get(groups));
    await edge.postgres?.up();
    await eventually(async () => ((await edge.get(groups, { key })).status === 200 ? true : undefined));
    expect((await edge.post(groups, createBody(), { idempotencyKey: 'outage-2' })).status).toBe(201);
  });

  it('a request that acted before Postgres left is still answered', async () => {
    const body = createBody();
    const sent = { idempotencyKey: 'outage-3' };
    const usual = edge.fakes.answers.create;
    edge.fakes.answers.create = async (command) => {
      const created = await usual(command);
      // Ending it cleanly may take longer than the edge waits for this answer.
      await edge.postgres?.kill();
      return created;
    };
    const first = await edge.post(groups, body, sent);
    expect(first.status).toBe(201);
    edge.fakes.reset();
    await edge.postgres?.up();
    // The lease was never given back: it has to lapse before the retry may resume.
    await edge.rows('update idempotency_keys set leased_until = clock_timestamp() where status is null');
    expect((await edge.post(groups, body, sent)).text).toBe(first.text);
  });
});
