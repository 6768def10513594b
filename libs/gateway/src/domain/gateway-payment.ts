import { decodePaymentRef, type PaymentRefMessage } from '@gp/contracts';
import { findCurrency, type Currency } from '@gp/money';
import type { GatewayCall } from './gateway-call.ts';
import type { Payment } from './payment.ts';

/** Returns the payment a row is about. */
export function toGatewayPayment(row: GatewayCall): Payment {
  const { mode, merchantId, groupId, intentId, attemptId, amountMinor, pspReference } = row;
  return {
    mode,
    merchantId,
    groupId,
    intentId,
    attemptId,
    amountMinor,
    pspReference,
    currency: requireCurrency(row.currency),
    sandboxFault: mode === 'test' ? row.sandboxFault : null,
  };
}

/**
 * Reads the payment that a message names: its data for the gateway, with the step and the credentials that are
 * meant.
 */
export function decodePayment<A extends string | null>(
  message: PaymentRefMessage<A> & { readonly psp_reference?: string | null },
) {
  const { seq, credentialVersion, currency, ...ids } = decodePaymentRef(message);
  const pspReference = message.psp_reference ?? null;
  return { payment: { ...ids, currency: requireCurrency(currency), pspReference }, seq, credentialVersion };
}

/** Returns a currency the ledger accepted; throws for any other text. */
export function requireCurrency(code: string): Currency {
  const currency = findCurrency(code);
  if (!currency) throw new Error(`${code} is no currency of ours`);
  return currency;
}
