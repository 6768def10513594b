import type { Gateway } from '../bootstrap.ts';
import type { BankForm, Host } from '../host.ts';
import type { PaymentApi } from '../net/api.ts';
import type { CardForm, PayResponse } from './card-form.ts';
import { cardConfirmer } from './confirm-card.ts';
import { bankForms, cardForms } from './forms.ts';
import { loadScript } from './load-script.ts';

/** Opens the card form of the active gateway. Its code, and its script, are fetched only when used. */
export async function loadCardForm(
  gateway: Gateway,
  { api, host }: { readonly api: PaymentApi; readonly host: Host },
  payment: PayResponse,
): Promise<CardForm> {
  const load = cardForms[gateway.psp_code];
  if (!load || 'bank' in gateway) throw new Error('no card form');
  const { openCardForm } = await load();
  return openCardForm({ gateway, payment, confirmCard: cardConfirmer(api, host), loadScript });
}

/** Returns the signed form with which a payer leaves for the bank; undefined where the card form is on this page. */
export function findBankForm(payment: PayResponse): BankForm | undefined {
  return bankForms[payment.psp_code]?.(payment);
}
