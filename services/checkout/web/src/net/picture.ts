import type { LiveSlot, Picture, PictureChange } from '../bootstrap.ts';

/** The parts of a group that change while a payer watches. */
export type Live = Pick<Picture, 'rev' | 'state' | 'facts' | 'expires_at' | 'slots'>;

/** Returns the newer of two pictures; one that arrives late changes nothing. */
export function pickNewer(known: Live, received: Live): Live {
  return received.rev >= known.rev ? received : known;
}

/**
 * Applies a change to the picture it was made for; returns undefined when a change in between was missed and the
 * whole picture is needed.
 */
export function changed(known: Live, change: PictureChange): Live | undefined {
  // The same version may come again with other instants: the merchant's test clock has moved.
  if (change.prev !== known.rev) return change.rev <= known.rev ? known : undefined;
  const changedSlots = new Map(change.slots.map((slot) => [slot.id, slot]));
  const slots: readonly LiveSlot[] = known.slots.map((slot) => changedSlots.get(slot.id) ?? slot);
  return { ...change, slots };
}
