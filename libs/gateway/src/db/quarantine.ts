import { statement, type Queryable } from '@gp/pg';
import { uuidv7 } from 'uuidv7';
import type { GatewayCall } from '../domain/gateway-call.ts';

export type Contradiction = {
  readonly row: GatewayCall;
  readonly pspReference: string;
  readonly actualMinor: bigint;
  readonly actualCurrency: string;
};

const insert = statement<{ id: string }>(
  'gateway.insert-contradiction',
  `insert into quarantine (id, mode, merchant_id, intent_id, attempt_id, psp_reference, expected_minor,
     expected_currency, actual_minor, actual_currency)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
   on conflict (attempt_id, actual_minor, actual_currency) do nothing returning id`,
);

/** Stores an answer that contradicts the request; returns false when it is stored already. */
export async function insertContradiction(tx: Queryable, c: Contradiction): Promise<boolean> {
  const { row } = c;
  const rows = await tx.query(insert, [
    uuidv7(),
    row.mode,
    row.merchantId,
    row.intentId,
    row.attemptId,
    c.pspReference,
    row.amountMinor,
    row.currency,
    c.actualMinor,
    c.actualCurrency,
  ]);
  return rows.length > 0;
}
