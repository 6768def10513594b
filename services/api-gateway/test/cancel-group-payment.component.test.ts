import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@gp/errors';
import { openEdge, type Edge } from './support/edge.ts';

let edge: Edge;
beforeAll(async () => (edge = await openEdge()));
afterAll(() => edge?.close());
beforeEach(() => edge.fakes.reset());

const cancel = (id: string, o: { idempotencyKey?: string; key?: string } = {}) =>
  edge.post(`/v1/group-payments/${id}/cancel`, undefined, o);

describe('POST /v1/group-payments/{id}/cancel', () => {
  it('a cancel answers 200 with the cancelled group, once under its Idempotency-Key (Q36, Q12)', async () => {
    const id = await edge.newGroupId();
    const idempotencyKey = randomUUID();
    const first = await cancel(id, { idempotencyKey });
    expect(first).toMatchObject({ status: 200, body: { group_payment: { id, state: 'cancelled' } } });
    const again = await cancel(id, { idempotencyKey });
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    expect(edge.fakes.received.cancel).toEqual([
      expect.objectContaining({ merchant_id: 'm1', mode: 'test', group_id: id, actor: 'merchant' }),
    ]);
  });

  it.each(['group_expired', 'group_not_payable'] as const)(
    'a cancel that the ledger refuses with %s is a 409 (Q36)',
    async (code) => {
      edge.fakes.answers.cancel = () => Promise.reject(new AppError(code));
      expect(await cancel(await edge.newGroupId())).toMatchObject({ status: 409, body: { code } });
    },
  );

  it('a cancel of a group of another merchant or mode is a 404 (S9)', async () => {
    const id = await edge.newGroupId();
    const { key } = await edge.addKey('test', { merchant_id: 'm2' });
    const live = (await edge.addKey('live')).key;
    for (const reply of [await cancel(id, { key }), await cancel(id, { key: live }), await cancel('x')])
      expect(reply).toMatchObject({ status: 404, body: { message: 'group payment not found' } });
  });
});
