import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import type { Client, Reply, Sent } from './support/client.ts';
import { card, createBody, newKey, toKeyMessage } from './support/edge.ts';
import { fakePayments } from './support/fake-payments.ts';
import { openService, type Service } from './support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterEach(() => service.reset());
afterAll(() => service?.close());

const groups = '/v1/group-payments';
const group = '0198c3f0-0000-7000-8000-00000000000a';
const intent = '0198c3f0-0000-7000-8000-00000000000c';

/**
 * Sends like a careful client, until an answer is final: on a busy machine a call may take longer than the edge waits.
 * Rejects when the connection ends.
 */
async function post(client: Client, path: string, body: unknown, o?: Sent): Promise<Reply> {
  for (const giveUpAt = Date.now() + 60_000; ; await delay(50)) {
    const reply = await client.post(path, body, o);
    const isFinal = reply.status < 500 && reply.body['code'] !== 'idempotency_key_in_use';
    if (isFinal || Date.now() > giveUpAt) return reply;
  }
}

const identities = (received: readonly { command_id: string }[]): number =>
  new Set(received.map(({ command_id }) => command_id)).size;

describe('a process killed at a step', () => {
  it.each([
    ['idempotency-begin.before', 0],
    ['idempotency-begin.after', 0],
    ['create.before', 0],
    ['create.after', 1],
    ['idempotency-keep.before', 1],
    ['idempotency-keep.after', 1],
  ])('a create killed at %s: the retry gets one group, under one identity', async (step, done) => {
    const idempotencyKey = `crash-${step}`;
    const body = createBody();
    const first = await service.start({ GP_FAIL_POINT: `api_gateway.${step}` });
    await expect(post(first.client, groups, body, { idempotencyKey })).rejects.toThrow();
    expect((await first.edge.ended).signal).toBe('SIGKILL');
    // A request without an answer for two seconds is sent again, under the same identity.
    expect(identities(service.fakes.received.create)).toBe(done);

    const second = await service.start();
    // Until the dead process' lease lapses the key is in use, which the wait of the edge itself covers.
    const retry = await post(second.client, groups, body, { idempotencyKey });
    expect(retry.status).toBe(201);
    expect(identities(service.fakes.received.create)).toBe(1);
    const third = await post(second.client, groups, body, { idempotencyKey });
    expect(third.text).toBe(retry.text);
    expect(third.headers['idempotent-replayed']).toBe('true');
  });

  it.each(['pay.before', 'pay.after'])(
    'a pay killed at %s: the retry resumes the same payment',
    async (step) => {
      const idempotencyKey = `crash-${step}`;
      const path = `${groups}/${group}/pay`;
      const body = { customer_email: 'ada@example.com' };
      const first = await service.start({ GP_FAIL_POINT: `api_gateway.${step}` });
      await expect(post(first.client, path, body, { idempotencyKey })).rejects.toThrow();
      const second = await service.start();
      expect((await post(second.client, path, body, { idempotencyKey })).status).toBe(201);
      expect(identities(service.fakes.received.pay)).toBe(1);
    },
  );

  it.each(['pay.before', 'pay.after', 'confirm-begin.after', 'confirm-card.after'])(
    'a test payment killed at %s: the retry plays the payer of the same payment again (Q73)',
    async (step) => {
      const { answers, received } = service.fakes;
      const idempotencyKey = `crash-test-payment-${step}`;
      const [payment] = fakePayments({ limit: 1 }).payments;
      const [usual, body] = [answers.pay, { customer_email: 'ada@example.com' }];
      answers.pay = async (request) => ({ ...(await usual(request)), payment_intent_id: payment?.id ?? '' });
      answers.play = () => Promise.resolve({ card });
      const first = await service.start({ GP_FAIL_POINT: `api_gateway.${step}` });
      const created = await post(first.client, groups, createBody());
      const path = `${groups}/${(created.body['group_payment'] as { id: string }).id}/test-payments`;
      await expect(post(first.client, path, body, { idempotencyKey })).rejects.toThrow();
      const known = received.card.length;
      answers.intent = () => ({ state: received.card.length > known ? 'preauthorised' : 'created' });
      const second = await service.start();
      const retry = await post(second.client, path, body, { idempotencyKey });
      expect([retry.status, retry.body['payment_intent_id']]).toEqual([201, payment?.id]);
      expect(identities(received.pay)).toBe(1);
      expect(received.played.length).toBeGreaterThan(0);
    },
  );

  it.each(['confirm-begin.before', 'confirm-begin.after', 'confirm-card.before', 'confirm-card.after'])(
    'a confirm killed at %s: nothing of the card is left behind, and a new process accepts the confirm again',
    async (step) => {
      const path = `${groups}/${group}/confirm`;
      const first = await service.start({ GP_FAIL_POINT: `api_gateway.${step}` });
      await expect(post(first.client, path, { payment_intent_id: intent, card })).rejects.toThrow();
      const second = await service.start();
      expect((await post(second.client, path, { payment_intent_id: intent, card })).status).toBe(200);
      expect(first.edge.output() + second.edge.output()).not.toContain('sentinel');
    },
  );

  it.each(['key-projection.before', 'key-projection.after'])(
    'a process killed at %s does not lose the announcement of a key',
    async (step) => {
      const { record } = newKey('test');
      const first = await service.start({ GP_FAIL_POINT: `api_gateway.${step}` });
      await service.others.publish(toKeyMessage(record));
      await first.edge.ended;
      await service.start();
      const isKnown = async () => {
        const { rows } = await service.db.pool.query('select 1 from api_keys where key_id = $1', [
          record.key_id,
        ]);
        return rows.length > 0 || undefined;
      };
      // The server delivers the message again once it takes the first receiver for dead.
      await eventually(isKnown);
    },
  );
});
