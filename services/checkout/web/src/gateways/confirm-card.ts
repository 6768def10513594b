import type { Host } from '../host.ts';
import type { PaymentApi } from '../net/api.ts';
import { backoffMs } from '../net/backoff.ts';
import { pause } from '../net/live.ts';
import { nextStep } from '../net/next-step.ts';
import type { ConfirmCard } from './card-form.ts';

/**
 * Returns a function that sends an encrypted card to our API and confirms until there is a response: the server
 * identifies the payment by its id, so the same confirm twice is one hold (Q13). Only this page has the encrypted
 * card, so no other process can send it again. An aborted `signal` ends the tries with `unknown`.
 */
export function cardConfirmer(api: PaymentApi, host: Pick<Host, 'returnUrl'>): ConfirmCard {
  return async (card, signal) => {
    const request = { ...card, return_url: host.returnUrl(card.payment_intent_id) };
    for (let failures = 1; !signal.aborted; failures++) {
      const answer = await api.confirm(request);
      if (answer.kind === 'ok') {
        const { next_action: next } = answer.body;
        return next ? { kind: 'challenged', url: next.url } : { kind: 'held' };
      }
      const step = nextStep(answer, failures);
      if (step.do === 'ask') return { kind: 'unknown' };
      if (step.do !== 'repeat' || step.because === 'limited') return { kind: 'failure', failure: answer };
      await pause(Math.max(step.afterMs, backoffMs(failures)), signal);
    }
    return { kind: 'unknown' };
  };
}
