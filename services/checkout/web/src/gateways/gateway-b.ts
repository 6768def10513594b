import type { Gateway } from '../bootstrap.ts';
import type { PaymentApi } from '../net/api.ts';
import { backoffMs } from '../net/backoff.ts';
import { pause } from '../net/live.ts';
import { nextStep } from '../net/next-step.ts';
import type { Answer } from '../net/failure.ts';
import type { CardForm, CardOutcome } from './card-form.ts';
import type { FieldIds } from './gateway-b-field.ts';
import { frameField } from './gateway-b-frame.ts';
import { vendorField } from './gateway-b-vendor.ts';

/** The encrypted card field, and the confirm that takes what it encrypted to our API. */
export function encryptedField(
  gateway: Extract<Gateway, { psp_code: 'gateway_b' }>,
  ids: FieldIds,
  api: PaymentApi,
): CardForm {
  const field =
    gateway.frame === null ? vendorField(gateway.script ?? '', ids) : frameField(gateway.frame, ids);
  const ended = new AbortController();
  return {
    mount: field.mount,
    focus: field.focus,
    unmount() {
      ended.abort();
      field.unmount();
    },
    async submit({ payment_intent_id }, holder) {
      const encrypted = await field.read().catch(() => undefined);
      if (!encrypted) return { kind: 'incomplete' };
      const card = { cardholder_name: holder, ...encrypted };
      return confirm(() => api.confirm({ payment_intent_id, card }), ended.signal);
    },
  };
}

/**
 * Confirms until there is an answer: the server knows the payment by its id, so the same confirm twice is one hold (Q13).
 * Only this page has the encrypted card: it is sent again from here or not at all.
 */
async function confirm(
  send: () => Promise<Answer<{ status: 'preauthorised' }>>,
  signal: AbortSignal,
): Promise<CardOutcome> {
  for (let failures = 1; !signal.aborted; failures++) {
    const answer = await send();
    if (answer.kind === 'ok') return { kind: 'held' };
    const step = nextStep(answer, failures);
    if (step.do === 'ask') return { kind: 'unknown' };
    if (step.do !== 'repeat' || step.because === 'limited') return { kind: 'failure', failure: answer };
    await pause(Math.max(step.afterMs, backoffMs(failures)), signal);
  }
  return { kind: 'unknown' };
}
