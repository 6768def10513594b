import type { Slot } from './slot.ts';

/** A chosen share that went to somebody else, and the free one of the same amount offered instead, if there is one. */
export type Loss = { readonly lost: Slot; readonly instead: Slot | undefined };

export type Settled = { readonly selected: readonly string[]; readonly losses: readonly Loss[] };

/**
 * Holds a choice against what is really free now. What is still free stays chosen; for each share that was taken an
 * equal free one is chosen instead, so that the payer can go on at once for the same money. `own` are shares this payer
 * has reserved himself: taken, but not from him. The answer keeps the order of the group.
 */
export function settleSelection(
  selected: readonly string[],
  slots: readonly Slot[],
  own: ReadonlySet<string> = new Set(),
): Settled {
  const chosen = slots.filter(({ id }) => selected.includes(id));
  const kept = chosen.filter((slot) => isFree(slot) || own.has(slot.id));
  const taken = new Set(kept.map(({ id }) => id));
  const losses = chosen
    .filter((slot) => !kept.includes(slot))
    .map((lost) => {
      const instead = slots.find(
        (slot) => isFree(slot) && !taken.has(slot.id) && slot.amount === lost.amount,
      );
      if (instead) taken.add(instead.id);
      return { lost, instead };
    });
  return { selected: slots.filter(({ id }) => taken.has(id)).map(({ id }) => id), losses };
}

/** What is chosen for a payer who has just come: the only free share if there is one alone, otherwise his to say. */
export function firstSelection(slots: readonly Slot[]): readonly string[] {
  const free = slots.filter(isFree);
  return free.length === 1 ? free.map(({ id }) => id) : [];
}

export const isFree = (slot: Slot): boolean => slot.state === 'unassigned';
