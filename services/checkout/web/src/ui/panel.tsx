import type { ComponentChildren } from 'preact';
import type { GroupState, SlotState } from '../bootstrap.ts';
import type { GroupModel } from '../state/group-model.ts';
import { Icon } from './icons.tsx';

const medals = { good: 'check', calm: 'undo', sad: 'info', wait: 'clock' } as const;
type Mood = keyof typeof medals;
type Ending = readonly [stem: string, mood: Mood];

/** How the final states of a group are shown: the stem of the sentences, and the mood. */
const endings: Partial<Readonly<Record<GroupState | 'short' | 'reached', Ending>>> = {
  preauthorised: ['charging', 'good'],
  capturing: ['charging', 'good'],
  partially_paid: ['partial', 'good'],
  // Paid in part; the rest is not retried automatically (D4).
  short: ['short', 'sad'],
  // Paid as far as it was to be (Q90).
  reached: ['reached', 'good'],
  paid: ['paid', 'good'],
  expired: ['expired', 'sad'],
  cancelled: ['cancelled', 'sad'],
  capture_failed: ['failed', 'sad'],
  refunding: ['refunding', 'calm'],
  partially_refunded: ['partRefund', 'calm'],
  refunded: ['refund', 'calm'],
  refund_failed: ['refundFailed', 'sad'],
};

/** Returns how a group that takes no more payments is shown. */
export function findEnding({
  live,
  slots,
  bootstrap,
}: Pick<GroupModel, 'live' | 'slots' | 'bootstrap'>): Ending | undefined {
  const { state } = live.value;
  const has = (some: SlotState): boolean => slots.value.some((slot) => slot.state === some);
  if (state !== 'partially_paid' || has('preauthorised')) return endings[state];
  // Only a group with a minimum has sentences of its own; a capture that failed cancels its slots.
  return endings[bootstrap.sentences && !has('cancelled') ? 'reached' : 'short'];
}

/** A panel with a medal and the title of a scene. */
export function Panel(o: { title: string; mood: Mood; children: ComponentChildren }) {
  return (
    <section class={`step panel outcome outcome-${o.mood}`} aria-labelledby="step-title">
      <span class="medal">
        <Icon name={medals[o.mood]} />
      </span>
      <h2 id="step-title" tabIndex={-1}>
        {o.title}
      </h2>
      {o.children}
    </section>
  );
}
