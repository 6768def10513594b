import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Outcome } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { createLogger } from '@gp/telemetry';
import { uuidv7 } from 'uuidv7';
import type { Adapter } from '../src/adapter.ts';
import { readBooks } from '../src/app/read-books.ts';
import { runOperation, type OperationRequest } from '../src/app/run-operation.ts';
import type { Answer, QueryAnswer, Truth } from '../src/index.ts';
import { openGatewayDatabase, type GatewayDatabase } from './support/database.ts';

let database: GatewayDatabase;
let db: Db;
let order: OperationRequest;
let answer: Answer;
let queried: QueryAnswer;
let sent: string[];

const held: Truth = {
  ...{ pspReference: 'pay_1', status: 'authorised', amountMinor: 1_500n, capturedMinor: 0n },
  ...{ refundedMinor: 0n, currency: 'EUR', captureBefore: null, isOpenToPayer: false, isDisputed: null },
  ...{ failure: null, actions: [] },
};
const captured: Truth = { ...held, status: 'captured', capturedMinor: 1_500n };
const found = (truth: Truth): QueryAnswer => ({ kind: 'found', truth });
const approved = (amountMinor: bigint): Answer => ({
  ...{ kind: 'approved', pspReference: 'pay_1', amountMinor, currency: 'EUR', captureBefore: null },
});
const refused: Answer = {
  kind: 'declined',
  failure: { code: 'gateway_refused', message: 'no', retryable: false },
};

beforeAll(async () => {
  database = await openGatewayDatabase();
  db = database.db;
});
afterAll(() => database?.close());

beforeEach(async () => {
  await database.asOwner('truncate psp_attempts, outbox cascade');
  sent = [];
  queried = found(held);
  order = {
    ...{ mode: 'test', merchantId: 'm1', groupId: uuidv7(), intentId: uuidv7(), attemptId: uuidv7() },
    ...{ operationId: uuidv7(), operation: 'capture', seq: 1, credentialVersion: 1, pspReference: 'pay_1' },
    ...{ amountMinor: 1_500n, currency: 'EUR', sandboxFault: null, traceparent: null, notAfter: null },
    ...{ unlessAuthorised: false, returnUrl: null },
  };
});

function adapter(): Adapter<unknown> {
  return {
    ...{ psp: 'gateway_b', db, log: createLogger({ service: 'test', level: 'silent' }) },
    ...{ clock: { now: () => new Date() }, wakeRelay: () => undefined },
    settings: { leaseMs: 60_000, settleWindowMs: 0, acceptedWaitMs: 0 },
    accounts: { get: () => Promise.resolve({}) },
    calls: {
      query: () => Promise.resolve(queried),
      effect: (operation: string) => {
        sent.push(operation);
        return Promise.resolve(answer);
      },
    },
  } as unknown as Adapter<unknown>;
}

type Told = Pick<Outcome, 'operation' | 'status' | 'operation_id' | 'amount_minor'> & { code: string | null };

async function listTold(): Promise<readonly Told[]> {
  const { rows } = await db.pool.query<{ payload: Outcome }>('select payload from outbox order by position');
  return rows.map(({ payload: { operation, status, operation_id, amount_minor, failure } }) => ({
    ...{ operation, status, operation_id, amount_minor, code: failure?.code ?? null },
  }));
}

/** Runs an order, drops every message that the ledger was sent, and runs the same order again. */
async function repeat(more: Partial<OperationRequest>): Promise<readonly [readonly Told[], readonly Told[]]> {
  await runOperation(adapter())({ ...order, ...more });
  const first = await listTold();
  await db.pool.query('delete from outbox');
  await runOperation(adapter())({ ...order, ...more });
  return [first, await listTold()];
}

describe('a repeated order whose result was lost (F9)', () => {
  it.each<[OperationRequest['operation'], string, Answer, QueryAnswer]>([
    ['capture', 'captured', approved(1_400n), found(held)],
    ['capture', 'failed', refused, found(held)],
    ['capture', 'retryable', { kind: 'retryable', reason: 'busy' }, found(held)],
    ['capture', 'lapsed', { kind: 'conflict', reason: 'state' }, found({ ...held, status: 'lapsed' })],
    ['void', 'voided', approved(1_500n), found(held)],
    ['void', 'retryable', refused, found(held)],
    ['void', 'captured', { kind: 'conflict', reason: 'state' }, found(captured)],
    ['refund', 'refunded', approved(1_500n), found(captured)],
    ['refund', 'failed', refused, found(captured)],
  ])(
    'a repeated order is answered with its stored result: %s %s, without a second effect (F9)',
    async (operation, status, given, truth) => {
      answer = given;
      queried = truth;
      const [first, again] = await repeat({ operation });
      expect(again).toMatchObject([{ operation, status, operation_id: order.operationId }]);
      expect(again).toEqual(first);
      expect(sent).toEqual([operation]);
    },
  );

  it('a repeated void of a payment that the gateway does not know is answered as absent (F9)', async () => {
    queried = { kind: 'absent' };
    const [first, again] = await repeat({ operation: 'void', pspReference: null });
    expect(first).toMatchObject([{ status: 'absent' }]);
    expect(again).toEqual(first);
  });

  it('a repeated void that found a hold to keep reports the present hold (F9)', async () => {
    const [first, again] = await repeat({ operation: 'void', unlessAuthorised: true });
    expect(first).toMatchObject([{ status: 'spared', amount_minor: '1500' }]);
    expect(again).toEqual(first);
    expect(sent).toEqual([]);
  });

  it('a repeated void that was refused and cannot be queried is not answered: the ledger asks again (F9)', async () => {
    answer = { kind: 'conflict', reason: 'state' };
    queried = found(captured);
    await runOperation(adapter())({ ...order, operation: 'void' });
    queried = { kind: 'unknown', reason: 'time-out' };
    await runOperation(adapter())({ ...order, operation: 'void' });
    expect(await listTold()).toMatchObject([{ status: 'captured' }]);
  });
});

describe('a comparison of books (F9)', () => {
  const compare = (awaited?: string[]) =>
    readBooks(adapter())({
      ...{ merchant_id: 'm1', mode: 'test' },
      payments: [
        {
          ...{ group_id: order.groupId, intent_id: order.intentId, attempt_id: order.attemptId },
          ...{ psp_reference: 'pay_1', amount_minor: '1500', currency: 'EUR', credential_version: 1 },
          ...(awaited && { awaited }),
        },
      ],
    });

  it('a comparison of books sends the result of an order again that the ledger still waits for, and of no other (F9)', async () => {
    answer = approved(1_500n);
    await runOperation(adapter())(order);
    await db.pool.query('delete from outbox');
    queried = found(captured);
    await compare();
    await compare([uuidv7()]);
    const told = async () => (await listTold()).filter(({ operation }) => operation === 'capture');
    expect(await told()).toEqual([]);
    await compare([order.operationId]);
    expect(await told()).toMatchObject([{ status: 'captured', operation_id: order.operationId }]);
  });
});
