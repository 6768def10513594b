import type { CardForm, CardFormParts } from '@gp/checkout-web/gateways';
import { frameField } from './sandbox-frame.ts';
import { vendorField } from './vendor-field.ts';

/** Opens the encrypted card field and returns the form whose confirm sends the encrypted card to our API. */
export function openCardForm({ gateway, payment, confirmCard, loadScript }: CardFormParts): CardForm {
  if (payment.psp_code !== 'gateway_b') throw new Error('no card form');
  const field =
    gateway.script === null
      ? frameField(gateway.frame, payment)
      : vendorField(gateway.script, payment, loadScript);
  const ended = new AbortController();
  return {
    mount: field.mount,
    unmount() {
      ended.abort();
      field.unmount();
    },
    async submit({ payment_intent_id }, holder) {
      const encrypted = await field.read().catch(() => 'away' as const);
      if (encrypted === 'away') return { kind: 'unsent', reason: 'fieldAway' };
      if (!encrypted) return { kind: 'unsent', reason: 'cardIncomplete' };
      const card = { cardholder_name: holder, ...encrypted };
      return confirmCard({ payment_intent_id, card }, ended.signal);
    },
  };
}
