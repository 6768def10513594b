import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { findPaymentByReference } from '../src/app/find-payment-by-reference.ts';
import { insertGatewayCall } from '../src/db/gateway-calls.ts';
import { openGatewayDatabase, type GatewayDatabase } from './support/database.ts';

let database: GatewayDatabase;
beforeAll(async () => (database = await openGatewayDatabase()));
afterAll(() => database?.close());

async function insertCapture(pspReference: string, of: { merchantId: string; mode: 'test' | 'live' }) {
  const [groupId, intentId, attemptId, operationId] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  await insertGatewayCall(
    database.db,
    {
      ...{ ...of, groupId, intentId, attemptId, operationId, pspReference },
      ...{ operation: 'capture', seq: 1, credentialVersion: 1, amountMinor: 1_500n, currency: 'EUR' },
      ...{ sandboxFault: null, traceparent: null, notAfter: null, unlessAuthorised: false, returnUrl: null },
    },
    60,
  );
  return { merchant_id: of.merchantId, mode: of.mode, group_id: groupId, intent_id: intentId };
}

it('a reference finds its payment in every merchant and mode that has it, each once, and an unknown one none', async () => {
  const find = findPaymentByReference({ db: database.db });
  const test = await insertCapture('pi_1', { merchantId: 'm1', mode: 'test' });
  const live = await insertCapture('pi_1', { merchantId: 'm2', mode: 'live' });
  await insertCapture('pi_2', { merchantId: 'm1', mode: 'test' });
  const { payments } = await find({ psp_reference: 'pi_1' });
  expect(payments).toHaveLength(2);
  expect(payments).toEqual(expect.arrayContaining([test, live]));
  expect(await find({ psp_reference: 'pi_3' })).toEqual({ payments: [] });
});
