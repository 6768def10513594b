import type { IntentState, PaymentView, SlotState } from '@gp/contracts';

/** A payment whose payer may be asked to finish it. */
export type Reminded = { readonly payment_intent_id: string; readonly email: string };

type Payment = Pick<PaymentView, 'id' | 'state' | 'unknown' | 'email'>;

/** Nothing is held, and no gateway is about to answer. A hold that is being released still counts as held. */
const UNFINISHED: readonly IntentState[] = ['created', 'failed', 'voided'];

/**
 * Returns whom an organiser's reminder is for, given the payments of a group, newest first: each address that has begun and
 * of which nothing is held or on its way. A payment that has given its slots back counts while another slot is free.
 */
export function chooseReminded(
  payments: readonly Payment[],
  slots: readonly { readonly state: SlotState }[],
): readonly Reminded[] {
  const hasFree = slots.some(({ state }) => state === 'unassigned');
  const byAddress = Map.groupBy(payments, ({ email }) => email);
  return [...byAddress].flatMap(([email, own]) => {
    const [newest] = own;
    if (!newest || email.endsWith('.invalid') || !own.every(isUnfinished)) return [];
    const canPay = hasFree || newest.state === 'created';
    return canPay ? [{ payment_intent_id: newest.id, email }] : [];
  });
}

const isUnfinished = ({ state, unknown }: Payment): boolean => !unknown && UNFINISHED.includes(state);
