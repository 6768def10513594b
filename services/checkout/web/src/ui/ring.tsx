import { findLook, type Slot } from '../slots/slot.ts';
import { useGroupView } from './view.ts';

const order = ['paid', 'held', 'busy', 'free', 'refunded', 'closed'];

/** The bill as a ring: one piece for each share, sized by its part of the total; secured shares come first. */
export function Ring() {
  const { model } = useGroupView();
  const slots = model.slots.value;
  const weight = (slot: Slot): number => Number(slot.amount);
  const total = slots.reduce((sum, slot) => sum + weight(slot), 0);
  const gap = slots.length > 1 ? Math.min(6, 90 / slots.length) : 0;
  const sorted = [...slots].sort((a, b) => order.indexOf(findLook(a)) - order.indexOf(findLook(b)));
  let from = 0;
  return (
    <svg class="ring" viewBox="0 0 100 100" aria-hidden="true" focusable="false">
      {sorted.map((slot, place) => {
        const sweep = (weight(slot) / total) * 360;
        const start = from + gap / 2;
        from += sweep;
        const length = Math.max(0.5, sweep - gap);
        return (
          <circle
            key={place}
            class={`piece piece-${findLook(slot)} ${model.own.value.has(slot.id) ? 'piece-own' : ''}`}
            cx="50"
            cy="50"
            r="42"
            pathLength={360}
            stroke-dasharray={`${length} ${360 - length}`}
            stroke-dashoffset={-start}
          />
        );
      })}
    </svg>
  );
}
