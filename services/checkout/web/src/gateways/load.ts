import type { Gateway } from '../bootstrap.ts';
import type { PaymentApi } from '../net/api.ts';
import type { CardForm } from './card-form.ts';

/** The card form of the active gateway. Its code, and its script, are fetched only where it is used. */
export async function loadCardForm(
  gateway: Gateway,
  api: PaymentApi,
  payment: {
    gateway_a_account_id?: string;
    publishable_key?: string;
    card_field_team_id?: string;
    card_field_app_id?: string;
  },
): Promise<CardForm> {
  switch (gateway.psp_code) {
    case 'gateway_a':
      return (await import('./gateway-a.ts')).cardElement(gateway.script, payment);
    case 'gateway_b':
      return (await import('./gateway-b.ts')).encryptedField(gateway, payment, api);
    case 'gateway_c':
      throw new Error('the bank asks for the card itself');
  }
}
