import type { LiveSlot, Picture, PictureChange } from '../bootstrap.ts';

/** The group as far as it changes while a payer looks at it. */
export type Live = Pick<Picture, 'rev' | 'state' | 'expires_at' | 'slots'>;

/** A newer picture replaces an older one; one that was overtaken on its way changes nothing. */
export function newerOf(known: Live, heard: Live): Live {
  return heard.rev >= known.rev ? heard : known;
}

/**
 * Applies a change to the picture it was made for; undefined when something in between was missed and the whole must be
 * asked for.
 */
export function changed(known: Live, change: PictureChange): Live | undefined {
  // The same version again has other instants: the merchant's test clock has moved.
  if (change.prev !== known.rev) return change.rev <= known.rev ? known : undefined;
  const news = new Map(change.slots.map((slot) => [slot.id, slot]));
  const slots: readonly LiveSlot[] = known.slots.map((slot) => news.get(slot.id) ?? slot);
  return { ...change, slots };
}
