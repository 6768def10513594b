import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Db } from '@gp/pg';
import { createLogger } from '@gp/telemetry';
import { uuidv7 } from 'uuidv7';
import type { Adapter } from '../src/adapter.ts';
import { applyCallbacks } from '../src/app/apply-callbacks.ts';
import { insertCallback } from '../src/db/callbacks.ts';
import { insertGatewayCall, settleGatewayCall } from '../src/db/gateway-calls.ts';
import type { NewGatewayCall } from '../src/domain/gateway-call.ts';
import type { Truth } from '../src/index.ts';
import { admitAll, highConcurrency } from './support/calls.ts';
import { openGatewayDatabase, type GatewayDatabase } from './support/database.ts';

const { signal } = new AbortController();
const held: Truth = {
  ...{
    pspReference: 'pi_1',
    status: 'authorised',
    amountMinor: 1_500n,
    capturedMinor: 0n,
    refundedMinor: 0n,
  },
  ...{ currency: 'EUR', captureBefore: null, isOpenToPayer: false, isDisputed: null, failure: null },
  actions: [],
};

let database: GatewayDatabase;
let db: Db;
let call: NewGatewayCall;
beforeAll(async () => {
  database = await openGatewayDatabase();
  db = database.db;
});
afterAll(() => database?.close());

/** A payment that was prepared, and a callback about it. */
beforeEach(async () => {
  await database.asOwner('truncate psp_attempts, callbacks, outbox, quarantine cascade');
  const [mode, merchantId, pspReference] = ['test', 'm1', 'pi_1'] as const;
  const [groupId, intentId, attemptId] = [uuidv7(), uuidv7(), uuidv7()];
  call = {
    ...{ mode, merchantId, groupId, intentId, attemptId, operationId: attemptId, pspReference },
    ...{ operation: 'prepare', seq: 1, credentialVersion: 1, amountMinor: 1_500n, currency: 'EUR' },
    ...{ sandboxFault: null, traceparent: null, notAfter: null, unlessAuthorised: false, returnUrl: null },
  };
  const row = await insertGatewayCall(db, call, 60);
  await settleGatewayCall(db, row?.id ?? '', {
    ...{ trigger: 'approve', pspReference, resultMinor: null, failure: null },
  });
  await insertCallback(db, {
    ...{ id: uuidv7(), mode, merchant_id: merchantId, credential_version: 1, account: 'acct_1' },
    ...{ event_id: 'evt_1', event_type: 'held', attempt_id: attemptId, psp_reference: pspReference },
    ...{
      is_disputed: null,
      traceparent: null,
      signers: [{ merchant_id: merchantId, mode }],
      state: 'stored',
    },
  });
});

/** Applies the callback; `meanwhile` runs during the query. Returns the number of transactions that this took. */
async function apply(truth: Truth, meanwhile: () => Promise<unknown> = () => Promise.resolve()) {
  let transactions = 0;
  const counting: Db = {
    ...db,
    transaction(work) {
      transactions += 1;
      return db.transaction(work);
    },
  };
  const adapter = {
    ...{ psp: 'gateway_a', db: counting, log: createLogger({ service: 'test', level: 'silent' }) },
    ...{ clock: { now: () => new Date() }, wakeRelay: () => undefined },
    settings: { leaseMs: 60_000, settleWindowMs: 0, acceptedWaitMs: 0, ...highConcurrency },
    accounts: { get: () => Promise.resolve({}) },
    calls: admitAll({ query: () => meanwhile().then(() => ({ kind: 'found', truth })) }),
  } as unknown as Adapter<unknown>;
  const applying = applyCallbacks(adapter);
  await applying.runOnce(signal);
  await applying.idle();
  return transactions;
}

/** Returns what the ledger was sent, and the state of the callback. */
async function story(): Promise<readonly string[]> {
  const sent = await db.pool.query<{ text: string }>(
    `select concat_ws(' ', payload ->> 'operation', payload ->> 'status', payload ->> 'amount_minor') as text
     from outbox order by position`,
  );
  const { rows } = await db.pool.query<{ state: string }>('select state from callbacks');
  return [...sent.rows.map(({ text }) => text), ...rows.map(({ state }) => state)];
}

it('the first hold of a prepared payment is reported and its callback closed by one statement', async () => {
  expect(await apply(held)).toBe(0);
  expect(await story()).toEqual(['authorise authorised 1500', 'applied']);
});

it('a hold whose callback another process closed during the query is reported once', async () => {
  const close = () => db.pool.query(`update callbacks set state = 'applied', applied_at = clock_timestamp()`);
  expect(await apply(held, close)).toBe(0);
  expect(await story()).toEqual(['applied']);
});

it('a hold during whose query a void began is judged by the transaction that sees the void', async () => {
  const begin = () => insertGatewayCall(db, { ...call, operation: 'void', operationId: uuidv7() }, 60);
  expect(await apply(held, begin)).toBe(1);
  expect(await story()).toEqual(['authorise authorised 1500', 'applied']);
});

it('a hold during whose query a void ended is not reported', async () => {
  const release = async (): Promise<void> => {
    const row = await insertGatewayCall(db, { ...call, operation: 'void', operationId: uuidv7() }, 60);
    await settleGatewayCall(db, row?.id ?? '', {
      ...{ trigger: 'approve', pspReference: null, resultMinor: null, failure: null },
    });
  };
  expect(await apply(held, release)).toBe(1);
  expect(await story()).toEqual(['applied']);
});

it('a hold of another amount is quarantined, and a payment that is captured already is judged by the transaction', async () => {
  expect(await apply({ ...held, amountMinor: 1_400n })).toBe(1);
  expect((await db.pool.query('select from quarantine')).rowCount).toBe(1);
  await database.asOwner(
    `truncate outbox; update callbacks set state = 'stored', applied_at = null, due_at = now()`,
  );
  expect(await apply({ ...held, status: 'captured', capturedMinor: 1_500n })).toBe(1);
  expect(await story()).toEqual(['authorise authorised 1500', 'capture captured 1500', 'applied']);
});
