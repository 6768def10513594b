import type { Db } from '@gp/pg';
import type { StoredCallback } from '../db/callbacks.ts';
import { findAttemptIdByReference, listPaymentCalls } from '../db/gateway-calls.ts';
import type { GatewayCall } from '../domain/gateway-call.ts';

/**
 * Returns our rows of the payment that a callback names, when the payment belongs to one of the merchants whose secret
 * signed the callback; another merchant's or mode's payment does not match (B5).
 */
export async function findCallbackRows(
  db: Db,
  callback: Pick<StoredCallback, 'attempt_id' | 'psp_reference' | 'signers'>,
): Promise<GatewayCall[]> {
  const { psp_reference: pspReference, signers } = callback;
  const attemptId = callback.attempt_id ?? (await findAttemptIdByReference(db, { pspReference, signers }));
  if (attemptId === undefined) return [];
  return (await listPaymentCalls(db, attemptId)).filter(
    (row) =>
      signers.some(({ merchant_id, mode }) => merchant_id === row.merchantId && mode === row.mode) &&
      (row.pspReference === null || row.pspReference === pspReference),
  );
}
