import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@gp/errors';
import { openEdge, type Edge } from './support/edge.ts';

let edge: Edge;
beforeAll(async () => (edge = await openEdge()));
afterAll(() => edge?.close());
beforeEach(() => edge.fakes.reset());

const update = (id: string, body: unknown, o: { idempotencyKey?: string; key?: string } = {}) =>
  edge.send('PATCH', `/v1/group-payments/${id}`, { body, ...o });

describe('PATCH /v1/group-payments/{id}', () => {
  it('an update answers 200 with the group as it is now, once under its Idempotency-Key (C9, Q12)', async () => {
    const id = await edge.newGroupId();
    const idempotencyKey = randomUUID();
    const changes = {
      group_name: 'Lunch',
      metadata: { table: 7.5 },
      expires_at: '2031-01-01T01:00:00+01:00',
    };
    const first = await update(id, changes, { idempotencyKey });
    const expires_at = '2031-01-01T00:00:00.000Z';
    expect(first).toMatchObject({ status: 200, body: { group_payment: { id, ...changes, expires_at } } });
    const again = await update(id, changes, { idempotencyKey });
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    const reused = await update(id, { group_name: 'Supper' }, { idempotencyKey });
    expect(reused).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    expect(edge.fakes.received.update).toEqual([
      expect.objectContaining({
        merchant_id: 'm1',
        mode: 'test',
        group_id: id,
        actor: 'merchant',
        ...changes,
        expires_at,
      }),
    ]);
  });

  it.each([
    [{}, 'body'],
    [{ group_name: '' }, 'group_name'],
    [{ group_name: 'x'.repeat(33) }, 'group_name'],
    [{ group_name: null }, 'group_name'],
    [{ metadata: null }, 'metadata'],
    [{ metadata: { order: 2 ** 53 } }, 'metadata.order'],
    [{ metadata: { blob: 'x'.repeat(17_000) } }, 'metadata'],
    [{ metadata: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, 1])) }, 'metadata'],
    [{ expires_at: '2031-01-01T00:00:00' }, 'expires_at'],
    [{ expires_at: '2031-02-30T00:00:00Z' }, 'expires_at'],
    [{ total_amount: 5 }, 'total_amount'],
    [{ merchant_order_id: 'x' }, 'merchant_order_id'],
    [{ client_reference: 'x' }, 'client_reference'],
  ])('an update with %j is a 400 that names %s and reaches no ledger (C9)', async (body, param) => {
    expect(await update(randomUUID(), body)).toMatchObject({
      status: 400,
      body: { code: 'validation_error', param },
    });
    expect(edge.fakes.received.update).toEqual([]);
  });

  it.each(['group_expired', 'group_not_payable'] as const)(
    'an update that the ledger refuses with %s is a 409 (C9)',
    async (code) => {
      edge.fakes.answers.update = () => Promise.reject(new AppError(code));
      expect(await update(await edge.newGroupId(), { group_name: 'Lunch' })).toMatchObject({
        status: 409,
        body: { code },
      });
    },
  );

  it('an update of a group of another merchant or mode is a 404, and a session token may not update (S9)', async () => {
    const id = await edge.newGroupId();
    const { key } = await edge.addKey('test', { merchant_id: 'm2' });
    const live = (await edge.addKey('live')).key;
    const changes = { group_name: 'Lunch' };
    for (const reply of [
      await update(id, changes, { key }),
      await update(id, changes, { key: live }),
      await update('x', changes),
    ])
      expect(reply).toMatchObject({ status: 404, body: { message: 'group payment not found' } });
  });
});
