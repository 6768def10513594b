import type { publicApi } from '@gp/contracts';
import type { Gateway } from '../bootstrap.ts';
import type { PaymentApi } from '../net/api.ts';
import type { CardForm } from './card-form.ts';

/** The card form of the active gateway. Its code, and its script, are fetched only where it is used. */
export async function loadCardForm(
  gateway: Gateway,
  api: PaymentApi,
  payment: publicApi.PayResponse,
): Promise<CardForm> {
  if (gateway.psp_code === 'gateway_a' && payment.psp_code === 'gateway_a')
    return (await import('./gateway-a.ts')).cardElement(gateway.script, payment);
  if (gateway.psp_code === 'gateway_b' && payment.psp_code === 'gateway_b')
    return (await import('./gateway-b.ts')).encryptedField(gateway, payment, api);
  throw new Error('the bank asks for the card itself');
}
