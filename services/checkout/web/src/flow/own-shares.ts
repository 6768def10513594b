import type { PaymentStatus } from '../bootstrap.ts';
import { isFree } from '../slots/selection.ts';
import type { Slot } from '../slots/slot.ts';
import type { Reservation } from '../state/model.ts';
import type { Made } from '../state/saved.ts';
import type { Context } from './context.ts';
import { goBackToChoice, settle } from './notices.ts';
import { showProblem } from './problems.ts';

/** Follows what this payer has reserved and paid in a new picture of the group. */
export function followOwnShares(context: Context): void {
  followReservation(context);
  followHolds(context);
}

type Next = Partial<Record<Reservation, Reservation>>;
const onceTaken: Next = { asked: 'seen', refused: 'freeing' };
const onceFree: Next = { seen: 'gone', freeing: 'gone' };

/** Follows the reservation in the picture; once it is gone, the next try takes the shares, or equal ones. */
function followReservation(context: Context): void {
  const { model } = context;
  const started = model.started.value;
  const isWaiting = model.step.value === 'card' || model.step.value === 'choose';
  if (!started || !isWaiting) return;
  const mine = pickSlots(model.slots.value, started.slot_ids);
  const isReserved = mine.every(({ state }) => state === 'assigned');
  const { value } = model.reservation;
  model.reservation.value = (isReserved ? onceTaken[value] : onceFree[value]) ?? value;
  if (model.reservation.value !== 'gone') return;
  // This request must not be sent again: it would pay for shares that another payer has by now.
  model.begun.value = null;
  settle(context);
  const isShort = model.selected.value.length < started.slot_ids.length;
  if (isShort || model.step.value === 'choose') goBackToChoice(context);
}

/** A hold that its bank releases before all have paid frees its shares: the payer must pay again (C4). */
function followHolds(context: Context): void {
  const { model } = context;
  if (!model.awaitsPayers.value) return;
  const isLost = (ids: readonly string[]): boolean => pickSlots(model.slots.value, ids).every(isFree);
  for (const made of model.made.value) if (isLost(made.slotIds)) void confirmLoss(context, made);
}

/** Asks for every payment that this device remembers: its hold may have ended while no page was open (C4). */
export async function confirmHolds(context: Context): Promise<void> {
  const { made, awaitsPayers } = context.model;
  if (!awaitsPayers.value) return;
  await Promise.all(made.value.map((one) => confirmLoss(context, one)));
}

async function confirmLoss(context: Context, { intentId, slotIds }: Made): Promise<void> {
  const { model, readPayment } = context;
  const answer = await readPayment(intentId);
  const isGone = (status: PaymentStatus['status']): boolean => status === 'failed' || status === 'released';
  if (answer.kind !== 'ok' || !isGone(answer.body.status)) return;
  const others = model.made.value.filter((made) => made.intentId !== intentId);
  if (others.length === model.made.value.length) return;
  model.made.value = others;
  if (model.step.value !== 'done') return;
  model.selected.value = slotIds;
  showProblem(context, 'holdLost', 'choose');
}

const pickSlots = (slots: readonly Slot[], ids: readonly string[]): readonly Slot[] =>
  slots.filter(({ id }) => ids.includes(id));
