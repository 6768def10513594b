import type { Slot } from './slot.ts';

/** A chosen share that another payer took, and the free one of the same amount and label offered instead, if any. */
export type Loss = { readonly lost: Slot; readonly instead: Slot | undefined };

export type Settled = { readonly selected: readonly string[]; readonly losses: readonly Loss[] };

/**
 * Compares a selection with what is free now. Free shares stay selected; each share that was taken is replaced by
 * a free one with the same amount and label, so that the payer can continue at once for the same thing. `own` are shares this payer has
 * reserved: they stay selected. The result keeps the order of the group.
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
        (slot) =>
          isFree(slot) && !taken.has(slot.id) && slot.amount === lost.amount && slot.label === lost.label,
      );
      if (instead) taken.add(instead.id);
      return { lost, instead };
    });
  return { selected: slots.filter(({ id }) => taken.has(id)).map(({ id }) => id), losses };
}

/**
 * Returns the first selection of a payer: the share that the link is for if it is free, else the only free share if there
 * is just one, otherwise none.
 */
export function firstSelection(slots: readonly Slot[], linked?: string): readonly string[] {
  const free = slots.filter(isFree).map(({ id }) => id);
  return free.length === 1 ? free : free.filter((id) => id === linked);
}

export const isFree = (slot: Slot): boolean => slot.state === 'unassigned';
