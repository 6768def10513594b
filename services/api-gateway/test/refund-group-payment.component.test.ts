import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError, type ErrorCode } from '@gp/errors';
import { docsUrl, openEdge, type Edge } from './support/edge.ts';

let edge: Edge;
beforeAll(async () => (edge = await openEdge()));
afterAll(() => edge?.close());
beforeEach(() => edge.fakes.reset());

const group = '0198c3f0-0000-7000-8000-00000000000a';
const slot = '0198c3f0-0000-7000-8000-00000000000b';
const other = '0198c3f0-0000-7000-8000-00000000000c';
const intent = '0198c3f0-0000-7000-8000-00000000000d';
const path = `/v1/group-payments/${group}/refund`;
const refund = (body?: unknown, idempotencyKey?: string) =>
  edge.post(path, body, { ...(idempotencyKey !== undefined && { idempotencyKey }) });
const failure = {
  intent_id: other,
  psp_code: 'gateway_b' as const,
  code: 'gateway_refused',
  error: 'the card account is closed',
};
const refuses =
  (code: ErrorCode, data = {}) =>
  () =>
    Promise.reject(new AppError(code, data));

describe('200 refunded', () => {
  it('a refund returns what was refunded, with all its slots, what was not, and the state', async () => {
    edge.fakes.answers.refund = () =>
      Promise.resolve({
        refund_id: randomUUID(),
        refunded: [{ intent_id: intent, slot_ids: [slot, other] }],
        failed: [failure],
        group_state: 'partially_refunded',
      });
    const reply = await refund({ slot_ids: [slot] });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      refunded_payment_intents: [intent],
      refunded_slot_ids: [slot, other],
      failed: [
        {
          payment_intent_id: other,
          psp_code: 'gateway_b',
          code: 'gateway_refused',
          error: 'the card account is closed',
        },
      ],
      group_state: 'partially_refunded',
    });
  });

  it('a payment that was not refunded counts as unknown where the answer has no code', async () => {
    const { code: _absent, ...older } = failure;
    edge.fakes.answers.refund = () =>
      Promise.resolve({
        refund_id: randomUUID(),
        refunded: [],
        failed: [older],
        group_state: 'refund_failed',
      });
    expect((await refund()).body).toMatchObject({
      failed: [{ code: 'outcome_unknown', error: older.error }],
    });
  });

  it('a refund passes on the slots in one spelling, and the merchant, once', async () => {
    await refund({ slot_ids: [slot.toUpperCase(), other] });
    expect(edge.fakes.received.refund).toEqual([
      {
        command_id: expect.stringMatching(/^[0-9a-f]{64}$/),
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        merchant_id: 'm1',
        mode: 'test',
        group_id: group,
        slot_ids: [slot, other],
        source: 'api',
      },
    ]);
  });

  it.each([
    ['no body', undefined, {}],
    ['an empty body', '', { 'content-type': 'application/json' }],
    ['an empty body of no type', '', { 'content-type': 'text/plain' }],
    ['an object without fields', {}, {}],
  ])('the body %s refunds the whole group', async (_what, body, headers) => {
    const reply = await edge.send('POST', path, { body, headers });
    expect(reply.status).toBe(200);
    expect(edge.fakes.received.refund[0]).not.toHaveProperty('slot_ids');
  });
});

describe('502 when nothing was refunded', () => {
  const nothing = () =>
    Promise.resolve({
      refund_id: randomUUID(),
      refunded: [],
      failed: [failure],
      group_state: 'refund_failed' as const,
    });

  it('a refund that refunded nothing is a 502 with the same body, and so is every repetition under its key (Q12)', async () => {
    edge.fakes.answers.refund = nothing;
    const key = randomUUID();
    const first = await refund({}, key);
    expect(first.status).toBe(502);
    expect(first.body).toMatchObject({ refunded_payment_intents: [], group_state: 'refund_failed' });
    edge.fakes.answers.refund = refuses('nothing_to_refund');
    const again = await refund(undefined, key);
    expect([again.status, again.text]).toEqual([502, first.text]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(edge.fakes.received.refund).toHaveLength(1);
  });
});

describe('a refusal', () => {
  it.each([
    ['nothing_to_refund', 409, 'nothing to refund'],
    ['slots_not_captured', 409, 'the requested slots have no captured payment'],
    ['invalid_slot_ids', 400, 'slot_ids must name slots of this group payment, each once'],
  ] as const)('a refusal %s is a %i, and again under its key (Q12)', async (code, status, message) => {
    edge.fakes.answers.refund = refuses(code);
    const key = randomUUID();
    const first = await refund({ slot_ids: [slot] }, key);
    expect(first.status).toBe(status);
    const doc_url = `${docsUrl}#error-${code}`;
    expect(first.body).toMatchObject({
      code,
      message,
      version: '1.0.0',
      doc_url,
    });
    edge.fakes.reset();
    expect(await refund({ slot_ids: [slot] }, key)).toMatchObject({ status, text: first.text });
    expect(edge.fakes.received.refund).toEqual([]);
  });

  it('a refusal names the slots that are not captured', async () => {
    const details = [{ param: 'slot_ids', reason: 'has no captured payment', slot_id: slot }];
    edge.fakes.answers.refund = refuses('slots_not_captured', { details });
    expect((await refund({ slot_ids: [slot] })).body).toMatchObject({ details });
  });

  it('a refund of a group that this merchant does not have, or of no id, is a 404', async () => {
    edge.fakes.answers.refund = refuses('not_found', { message: 'group payment not found' });
    for (const id of [group, 'nothing'])
      expect(await edge.post(`/v1/group-payments/${id}/refund`)).toMatchObject({
        status: 404,
        body: { message: 'group payment not found' },
      });
  });

  it.each([
    [{ slot_ids: [] }, 'slot_ids', 'must have at least 1 item'],
    [{ slot_ids: Array.from({ length: 31 }, () => randomUUID()) }, 'slot_ids', 'must have at most 30 items'],
    [{ slot_ids: [slot, slot] }, 'slot_ids', 'must not repeat an item'],
    [{ slot_ids: ['x'] }, 'slot_ids[0]', 'must be a UUID'],
    [{ slot_ids: null }, 'slot_ids', 'must be an array'],
    [{ amount: 1 }, 'amount', 'is not a known field'],
    [[], 'body', 'must be an object'],
  ])('a refund with %j is a 400', async (body, param, reason) => {
    const reply = await refund(body);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ message: `Validation error: ${param}: ${reason}` });
    expect(edge.fakes.received.refund).toEqual([]);
  });

  it('a key used for the whole group is refused for some of its slots', async () => {
    const key = randomUUID();
    await refund(undefined, key);
    expect((await refund({ slot_ids: [slot] }, key)).status).toBe(422);
  });
});
