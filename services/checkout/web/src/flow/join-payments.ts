import type { Made } from '../state/saved.ts';
import type { Context } from './context.ts';
import { leaveReservation } from './notices.ts';

/**
 * Takes over what another tab of this device has paid meanwhile, so that nobody pays once more without being asked. A
 * payer who was about to pay here sees the receipt; a card that was sent, and a further payment that is meant, go on.
 */
export function joinPayments(context: Context, all: readonly Made[]): void {
  const { model } = context;
  const known = new Set(model.made.value.map(({ intentId }) => intentId));
  const others = all.filter(({ intentId }) => !known.has(intentId));
  if (others.length === 0) return;
  model.made.value = [...model.made.value, ...others];
  const isAboutToPay = model.step.value === 'choose' || model.step.value === 'card';
  if (!isAboutToPay || model.isMeantAgain.value) return;
  leaveReservation(context);
  model.selected.value = [];
  model.notice.value = null;
  model.step.value = 'done';
}
