import { findCurrency, type Currency } from '@gp/money';
import type { Attempt } from './attempt.ts';
import type { Payment } from './payment.ts';

/** The payment a row is about. */
export function paymentOf(row: Attempt): Payment {
  const { mode, merchantId, groupId, intentId, attemptId, amountMinor, pspReference } = row;
  return {
    mode,
    merchantId,
    groupId,
    intentId,
    attemptId,
    amountMinor,
    pspReference,
    currency: currencyOf(row.currency),
    sandboxFault: mode === 'test' ? row.sandboxFault : null,
  };
}

/** A currency the ledger accepted; throws for any other text. */
export function currencyOf(code: string): Currency {
  const currency = findCurrency(code);
  if (!currency) throw new Error(`${code} is no currency of ours`);
  return currency;
}
