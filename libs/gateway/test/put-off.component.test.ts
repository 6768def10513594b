import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Db } from '@gp/pg';
import { createLogger } from '@gp/telemetry';
import { uuidv7 } from 'uuidv7';
import type { Adapter } from '../src/adapter.ts';
import { applyCallbacks } from '../src/app/apply-callbacks.ts';
import { insertGatewayCall, settleGatewayCall } from '../src/db/gateway-calls.ts';
import { insertCallback } from '../src/db/callbacks.ts';
import type { GatewayCall } from '../src/domain/gateway-call.ts';
import type { Truth } from '../src/index.ts';
import { admitAll, highConcurrency } from './support/calls.ts';
import { openGatewayDatabase, type GatewayDatabase } from './support/database.ts';

const { signal } = new AbortController();
let database: GatewayDatabase;
let db: Db;
let capture: GatewayCall;

beforeAll(async () => {
  database = await openGatewayDatabase();
  db = database.db;
});
afterAll(() => database?.close());

/** A capture that was sent, and a callback that reports its reversal. */
beforeEach(async () => {
  await database.asOwner('truncate psp_attempts, callbacks, outbox cascade');
  const [mode, merchantId, pspReference] = ['test', 'm1', 'pi_1'] as const;
  const [groupId, intentId, attemptId, operationId] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  const row = await insertGatewayCall(
    db,
    {
      ...{ mode, merchantId, groupId, intentId, attemptId, operationId, pspReference },
      ...{ operation: 'capture', seq: 1, credentialVersion: 1, amountMinor: 1_500n, currency: 'EUR' },
      ...{ sandboxFault: null, traceparent: null, notAfter: null, unlessAuthorised: false, returnUrl: null },
    },
    60,
  );
  if (!row) throw new Error('the capture was not written down');
  capture = row;
  await insertCallback(db, {
    ...{ id: uuidv7(), mode, merchant_id: merchantId, credential_version: 1, account: 'acct_1' },
    ...{
      event_id: 'evt_1',
      event_type: 'payment_failed',
      attempt_id: attemptId,
      psp_reference: pspReference,
    },
    ...{
      is_disputed: null,
      traceparent: null,
      signers: [{ merchant_id: merchantId, mode }],
      state: 'stored',
    },
  });
});

const takenBack: Truth = {
  ...{ pspReference: 'pi_1', status: 'declined', amountMinor: 1_500n, capturedMinor: 0n, refundedMinor: 0n },
  ...{ currency: 'EUR', captureBefore: null, isOpenToPayer: true, isDisputed: null, failure: null },
  actions: [],
};

/**
 * Applies due callbacks while the gateway returns the same truth each time; `meanwhile` runs during the query.
 */
async function apply(meanwhile: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
  await db.pool.query('update callbacks set due_at = clock_timestamp()');
  const adapter = {
    ...{ psp: 'gateway_a', db, log: createLogger({ service: 'test', level: 'silent' }) },
    ...{ clock: { now: () => new Date() }, wakeRelay: () => undefined },
    settings: { leaseMs: 60_000, settleWindowMs: 0, acceptedWaitMs: 0, ...highConcurrency },
    accounts: { get: () => Promise.resolve({}) },
    calls: admitAll({ query: () => meanwhile().then(() => ({ kind: 'found', truth: takenBack })) }),
  } as unknown as Adapter<unknown>;
  const applying = applyCallbacks(adapter);
  await applying.runOnce(signal);
  await applying.idle();
}

const succeeds = () =>
  settleGatewayCall(db, capture.id, {
    trigger: 'approve',
    pspReference: null,
    resultMinor: 1_500n,
    failure: null,
  });

/** Returns the captures that the ledger was sent, and whether the callback is finished. */
async function story(): Promise<readonly string[]> {
  const told = await db.pool.query<{ text: string }>(
    `select concat_ws(' ', payload ->> 'status', payload ->> 'source') as text from outbox
      where payload ->> 'operation' = 'capture' order by position`,
  );
  const { rows } = await db.pool.query<{ state: string }>('select state from callbacks');
  return [...told.rows.map(({ text }) => text), ...rows.map(({ state }) => state)];
}

describe('D6 word of a capture that was taken back', () => {
  it('a report of a reversed capture waits for the outcome of the call in flight, and is then sent (D6)', async () => {
    await apply();
    expect(await story()).toEqual(['stored']);
    await succeeds();
    await apply();
    expect(await story()).toEqual(['failed external', 'applied']);
  });

  it('a report of a reversed capture is not lost when that outcome arrives during the query (D6)', async () => {
    await apply(succeeds);
    expect(await story()).toEqual(['stored']);
    await apply();
    expect(await story()).toEqual(['failed external', 'applied']);
  });

  it('a report of a reversed capture ends a capture whose outcome was lost, once (D6)', async () => {
    await settleGatewayCall(db, capture.id, {
      trigger: 'doubt',
      pspReference: null,
      resultMinor: null,
      failure: null,
    });
    await apply();
    await apply();
    expect(await story()).toEqual(['lapsed callback', 'applied']);
  });
});
