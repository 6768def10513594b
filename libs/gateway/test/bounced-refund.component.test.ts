import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Db } from '@gp/pg';
import { createLogger } from '@gp/telemetry';
import { uuidv7 } from 'uuidv7';
import type { Adapter } from '../src/adapter.ts';
import { applyCallbacks } from '../src/app/apply-callbacks.ts';
import { insertGatewayCall, settleGatewayCall } from '../src/db/gateway-calls.ts';
import { insertCallback } from '../src/db/callbacks.ts';
import { addExternalAmount } from '../src/db/external-amounts.ts';
import type { GatewayCall } from '../src/domain/gateway-call.ts';
import type { Action, Truth } from '../src/index.ts';
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

beforeEach(async () => {
  await database.asOwner('truncate psp_attempts, callbacks, mirrored, outbox cascade');
  const [groupId, intentId, attemptId, operationId] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  const row = await insertGatewayCall(
    db,
    {
      ...{ mode: 'test', merchantId: 'm1', groupId, intentId, attemptId, operationId, pspReference: 'pi_1' },
      ...{ operation: 'capture', seq: 1, credentialVersion: 1, amountMinor: 1_500n, currency: 'EUR' },
      ...{ sandboxFault: null, traceparent: null, notAfter: null, unlessAuthorised: false, returnUrl: null },
    },
    60,
  );
  if (!row) throw new Error('the capture was not written down');
  const approved = { trigger: 'approve', pspReference: null, resultMinor: 1_500n, failure: null } as const;
  await settleGatewayCall(db, row.id, approved);
  capture = row;
});

/** A charge of 15.00 with one external refund of 5.00 for each fate. */
function chargeWith(...fates: Action['state'][]): Truth {
  const done = fates.filter((fate) => fate === 'succeeded');
  return {
    ...{ pspReference: 'pi_1', status: 'captured', amountMinor: 1_500n, capturedMinor: 1_500n },
    ...{ currency: 'EUR', captureBefore: null, isOpenToPayer: false, isDisputed: null, failure: null },
    refundedMinor: 500n * BigInt(done.length),
    actions: fates.map((state) => ({
      ...{ operation: 'refund', reference: null, amountMinor: 500n, failure: null },
      state,
    })),
  };
}

/** Applies a callback while the gateway returns this truth; `meanwhile` runs during the query. */
async function hears(
  truth: Truth,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  await insertCallback(db, {
    ...{ id: uuidv7(), mode: 'test', merchant_id: 'm1', credential_version: 1, account: 'acct_1' },
    ...{ event_id: uuidv7(), event_type: 'refund', attempt_id: capture.attemptId, psp_reference: 'pi_1' },
    ...{
      is_disputed: null,
      traceparent: null,
      state: 'stored',
      signers: [{ merchant_id: 'm1', mode: 'test' }],
    },
  });
  const adapter = {
    ...{ psp: 'gateway_a', db, log: createLogger({ service: 'test', level: 'silent' }) },
    ...{ clock: { now: () => new Date() }, wakeRelay: () => undefined },
    settings: { leaseMs: 60_000, settleWindowMs: 0, acceptedWaitMs: 0, ...highConcurrency },
    accounts: { get: () => Promise.resolve({}) },
    calls: admitAll({ query: () => meanwhile().then(() => ({ kind: 'found', truth })) }),
  } as unknown as Adapter<unknown>;
  const applying = applyCallbacks(adapter);
  await applying.runOnce(signal);
  await applying.idle();
}

/** Returns the refunds that the ledger was sent, in order. */
async function story(): Promise<readonly string[]> {
  const { rows } = await db.pool.query<{ text: string }>(
    `select concat_ws(' ', payload ->> 'status', payload ->> 'amount_minor', payload ->> 'source') as text
       from outbox where payload ->> 'operation' = 'refund' order by position`,
  );
  return rows.map(({ text }) => text);
}

describe('E8 a refund in the dashboard that bounces', () => {
  it('a dashboard refund that bounces is reported once, and so is the next one that is made there (E8)', async () => {
    await hears(chargeWith('succeeded', 'succeeded'));
    await hears(chargeWith('succeeded', 'failed'));
    await hears(chargeWith('succeeded', 'failed'));
    expect(await story()).toEqual(['refunded 1000 external', 'failed 500 external']);
    await hears(chargeWith('failed', 'failed'));
    await hears(chargeWith('failed', 'failed', 'succeeded'));
    expect((await story()).slice(2)).toEqual(['failed 500 external', 'refunded 500 external']);
  });

  it('a bounce is not found in a query that is older than a refund reported meanwhile (E8)', async () => {
    const { attemptId } = capture;
    const told = { attemptId, operation: 'refund', amountMinor: 500n } as const;
    await hears(chargeWith('failed'), () => addExternalAmount(db, told));
    expect(await story()).toEqual([]);
    await hears(chargeWith('failed', 'succeeded'));
    expect(await story()).toEqual([]);
  });
});
