import type { BankForm, PayResponse } from '@gp/checkout-web/gateways';

/**
 * Returns the signed form of a payment, which the payer's browser posts to the bank; undefined for other gateways.
 */
export function findBankForm(payment: PayResponse): BankForm | undefined {
  if (payment.psp_code !== 'gateway_c') return undefined;
  const { url, body } = payment.gateway_c_form;
  return { url, fields: body };
}
