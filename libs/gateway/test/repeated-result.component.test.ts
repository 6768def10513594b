import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import type { Adapter } from '../src/adapter.ts';
import { storeCallback, type Verified } from '../src/app/receive-callback.ts';
import { insertGatewayCall, settleGatewayCall } from '../src/db/gateway-calls.ts';
import type { GatewayCall } from '../src/domain/gateway-call.ts';
import type { StatedResult } from '../src/domain/stated-result.ts';
import { openGatewayDatabase, type GatewayDatabase } from './support/database.ts';

type Keys = { readonly name: string };

const scope = { mode: 'test', merchantId: 'm1' } as const;
const captured: StatedResult = { operation: 'capture', amountMinor: 1_500n, currency: 'EUR' };

let database: GatewayDatabase;
let capture: GatewayCall;
beforeAll(async () => {
  database = await openGatewayDatabase();
});
afterAll(() => database?.close());

/** A capture of 15.00 EUR that was sent and has no answer yet. */
beforeEach(async () => {
  await database.asOwner('truncate psp_attempts, callbacks, outbox cascade');
  const [groupId, intentId, attemptId, operationId] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  const row = await insertGatewayCall(
    database.db,
    {
      ...{ ...scope, groupId, intentId, attemptId, operationId, pspReference: 'pi_1' },
      ...{ operation: 'capture', seq: 1, credentialVersion: 1, amountMinor: 1_500n, currency: 'EUR' },
      ...{ sandboxFault: null, traceparent: null, notAfter: null, unlessAuthorised: false, returnUrl: null },
    },
    60,
  );
  if (!row) throw new Error('the capture was not written down');
  capture = row;
});

const settle = (trigger: 'approve' | 'decline' | 'reverse') =>
  settleGatewayCall(database.db, capture.id, {
    trigger,
    pspReference: null,
    resultMinor: trigger === 'approve' ? 1_500n : null,
    failure: null,
  });

/** Receives a callback; returns the state that it is stored in, and whether the payment is going to be read. */
async function receive(stated: StatedResult | undefined): Promise<[state: string, isRead: boolean]> {
  let isRead = false;
  const adapter = {
    ...{ psp: 'gateway_a', db: database.db, gateway: { credentials: { account: 'name' } } },
  } as unknown as Adapter<Keys>;
  const verified: Verified<Keys> = {
    ...{ kind: 'verified', signers: [{ ...scope, version: 1, credentials: { name: 'acct_1' } }] },
    ...{ eventId: uuidv7(), eventType: 'captured', pspReference: 'pi_1', attemptId: capture.attemptId },
    ...{ isDisputed: null, ...(stated && { stated }) },
  };
  expect(await storeCallback(adapter, () => (isRead = true))(verified)).toBe('stored');
  const { rows } = await database.db.pool.query<{ state: string }>(
    'select state from callbacks order by received_at desc limit 1',
  );
  return [rows[0]?.state ?? '', isRead];
}

it('a callback that repeats the answer to a capture is stored as applied, and the payment is not read (B4)', async () => {
  await settle('approve');
  expect(await receive(captured)).toEqual(['applied', false]);
});

it('a callback about a capture whose answer is not known yet has the payment read (B4)', async () =>
  expect(await receive(captured)).toEqual(['stored', true]));

it.each([
  ['another amount', { ...captured, amountMinor: 1_499n }],
  ['another currency', { ...captured, currency: 'USD' }],
  ['an operation that was never ordered', { ...captured, operation: 'authorise' }],
  ['more than a result', undefined],
] as const)('a callback that states %s has the payment read (B4)', async (_what, stated) => {
  await settle('approve');
  expect(await receive(stated)).toEqual(['stored', true]);
});

it.each(['decline', 'reverse'] as const)(
  'a callback about a capture that ended otherwise (%s) has the payment read (B4)',
  async (trigger) => {
    if (trigger === 'reverse') await settle('approve');
    await settle(trigger);
    expect(await receive(captured)).toEqual(['stored', true]);
  },
);
