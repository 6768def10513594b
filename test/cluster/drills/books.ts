import { SHARE_MINOR, SLOTS, type PaidGroup } from './payers.ts';

/** A payment as the sandbox's books have it. */
export type Booked = {
  readonly payment_intent_id: string;
  readonly status: string;
  readonly captured_minor: number;
  readonly refunded_minor: number;
  readonly calls: readonly { readonly operation: string; readonly outcome: string }[];
};

/** Returns a sentence for each group of which the gateways' books say something else than its state. */
export function compareBooks(groups: readonly PaidGroup[], books: readonly Booked[]): string[] {
  const byPayment = Map.groupBy(books, ({ payment_intent_id }) => payment_intent_id);
  return groups.flatMap(({ id, state, payments }) => {
    const booked = payments.flatMap((payment) => byPayment.get(payment) ?? []);
    const taken = booked.reduce((sum, one) => sum + one.captured_minor - one.refunded_minor, 0);
    const owed = state === 'paid' ? SLOTS * SHARE_MINOR : 0;
    const isOpen = state !== 'paid' && taken > 0 && taken < SLOTS * SHARE_MINOR;
    return [
      ...(taken === owed || isOpen
        ? []
        : [`group ${id} is ${state}, and the gateways took ${taken} of ${owed}`]),
      ...booked
        .filter(({ calls }) => countEffects(calls, 'capture') > 1)
        .map(({ payment_intent_id }) => `payment ${payment_intent_id} was captured twice`),
      ...(state === 'paid'
        ? booked
            .filter(({ status }) => status === 'authorised')
            .map(({ payment_intent_id }) => `a hold of payment ${payment_intent_id} was left behind`)
        : []),
    ];
  });
}

const countEffects = (calls: Booked['calls'], operation: string): number =>
  calls.filter((call) => call.operation === operation && call.outcome === 'ok').length;
