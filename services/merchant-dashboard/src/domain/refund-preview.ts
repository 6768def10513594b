import type { PaymentHistory } from '@gp/contracts';
import { AppError } from '@gp/errors';

/** A payment that a refund would hit, and why it would not succeed, if that is known beforehand. */
export type PreviewedPayment = {
  readonly payment: PaymentHistory;
  /** Slots nobody chose that are refunded with it, because one payment covers them (E4). */
  readonly otherSlotIds: readonly string[];
  readonly obstacle: string | null;
};

/**
 * Which payments a refund of these slots, or of everything, would hit: always whole payments. Throws what the refund
 * itself would be refused with: `invalid_slot_ids`, `slots_not_captured`, `nothing_to_refund`.
 */
export function previewRefund(
  slots: readonly { readonly id: string; readonly state: string }[],
  payments: readonly PaymentHistory[],
  chosen: readonly string[] | null,
): PreviewedPayment[] {
  if (chosen) assertRefundable(slots, chosen);
  const hit = payments.filter(
    ({ state, slot_ids }) => state === 'captured' && (!chosen || slot_ids.some((id) => chosen.includes(id))),
  );
  if (hit.length === 0) throw new AppError('nothing_to_refund');
  return hit.map((payment) => ({
    payment,
    otherSlotIds: chosen ? payment.slot_ids.filter((id) => !chosen.includes(id)) : [],
    obstacle: obstacleOf(payment),
  }));
}

function assertRefundable(
  slots: readonly { readonly id: string; readonly state: string }[],
  chosen: readonly string[],
): void {
  const states = new Map(slots.map(({ id, state }) => [id, state]));
  if (chosen.length === 0 || new Set(chosen).size < chosen.length || chosen.some((id) => !states.has(id)))
    throw new AppError('invalid_slot_ids');
  const uncaptured = chosen.filter((id) => !['captured', 'refunded'].includes(states.get(id) ?? ''));
  if (uncaptured.length > 0) throw new AppError('slots_not_captured', { details: uncaptured });
}

/** Said by the ledger in the same words, which decides. */
function obstacleOf({ psp_code, disputed }: PaymentHistory): string | null {
  if (psp_code === 'gateway_c') return 'refunds through the API are unavailable for gateway_c';
  return disputed ? 'payment is disputed' : null;
}

const CANCELLABLE: ReadonlySet<string> = new Set(['open', 'partially_preauthorised', 'preauthorised']);

/** Whether a group may still be cancelled: only while nothing was captured (Q2). The ledger decides. */
export function mayCancel(state: string): boolean {
  return CANCELLABLE.has(state);
}
