import type { GroupPaymentDetail, TimelineEntry } from '../../../../src/http/api.ts';
import { formatState } from '../../parts/tone.ts';

type Known = Pick<GroupPaymentDetail, 'payments' | 'slots'>;

/** Returns an entry of the timeline as a sentence: its subject and its result. */
export function formatHeadline(entry: TimelineEntry, known: Known): string {
  if (entry.webhook)
    return `Webhook ${entry.webhook.event_type} to ${parseHost(entry.webhook.url)}: ${entry.what}`;
  const change = formatState(entry.what);
  if (entry.kind === 'group')
    return entry.from === null ? 'Group payment created' : `Group payment ${change}`;
  const payment = known.payments.find(({ id }) => id === entry.payment_intent_id);
  const whose = payment ? ` of ${payment.payer.name ?? payment.payer.email}` : '';
  const covered = known.slots.filter(({ id }) => payment?.slot_ids.includes(id));
  const slots = covered.map(({ sequence_no }) => sequence_no).join(', ');
  const where = slots === '' ? '' : ` (slot ${slots})`;
  return `Payment${whose}${where} ${entry.from === null ? 'begun' : change}`;
}

/** Returns the actor of an entry, and whether it was requested. */
export function formatActor({ actor, is_command }: Pick<TimelineEntry, 'actor' | 'is_command'>): string {
  return is_command ? `asked by ${actor}` : `by ${actor}`;
}

function parseHost(url: string): string {
  return URL.parse(url)?.host ?? url;
}
