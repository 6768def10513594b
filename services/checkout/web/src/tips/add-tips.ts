import type { Bootstrap } from '../bootstrap.ts';
import type { TipOffer } from '../state/model.ts';
import type { View } from '../ui/view.ts';

/** Returns an amount of currency units in minor units. */
export const toMinor = (units = 0, digits: number): bigint => BigInt(Math.round(units * 10 ** digits));

/** Returns what adds tips to slots, in amount and label, from what the page knows of its payer's payments. */
export function tipAdder(
  { model, money }: Pick<View, 'model' | 'money'>,
  { texts }: NonNullable<Bootstrap['tips']>,
): TipOffer['addTips'] {
  const { fraction_digits: digits } = model.bootstrap.group;
  return (slots, isNext) =>
    slots.map((slot, at) => {
      const made = model.made.value.find(({ slotIds }) => slotIds[0] === slot.id);
      const next = at === 0 ? model.tip.value : undefined;
      const tip = toMinor(isNext ? next : made?.tip, digits);
      if (tip === 0n) return slot;
      const included = texts.included.replace('{amount}', money(tip));
      const label = slot.label === undefined ? included : `${slot.label}, ${included}`;
      return { ...slot, amount: slot.amount + tip, label };
    });
}
