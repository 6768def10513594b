import type { GroupState, IntentState, SlotState } from '../../../src/http/api.ts';

/** How good or bad a state is, as shown by its colour. */
export type Tone = 'neutral' | 'info' | 'good' | 'warn' | 'bad';

const TONES: Readonly<Record<Tone, readonly string[]>> = {
  neutral: [
    'draft',
    'unassigned',
    'created',
    'voided',
    'expired',
    'cancelled',
    'refunded',
    'held',
    'disabled',
  ],
  info: ['open', 'assigned', 'partially_preauthorised', 'preauthorised', 'pending', 'running', 'enabled'],
  good: ['paid', 'captured', 'delivered', 'done', 'acknowledged'],
  warn: [
    'capturing',
    'partially_paid',
    'refunding',
    'partially_refunded',
    'processing',
    'capture_pending',
    'refund_pending',
    'void_pending',
  ],
  bad: ['capture_failed', 'refund_failed', 'failed', 'disputed'],
};

/** Returns the tone of a state; neutral for one this version does not know. */
export function findTone(state: string): Tone {
  const [tone] = Object.entries(TONES).find(([, states]) => states.includes(state)) ?? ['neutral'];
  return tone as Tone;
}

const WORDS: Readonly<Partial<Record<GroupState | SlotState | IntentState, string>>> = {
  preauthorised: 'held',
  partially_preauthorised: 'partly held',
  partially_paid: 'partly paid',
  partially_refunded: 'partly refunded',
  unassigned: 'available',
  assigned: 'reserved',
  capture_pending: 'being captured',
  refund_pending: 'being refunded',
  void_pending: 'being released',
  voided: 'released',
};

/** Returns a state in words: `partially_preauthorised` → `partly held`. */
export function formatState(state: string): string {
  return (WORDS as Record<string, string>)[state] ?? state.replaceAll('_', ' ');
}
