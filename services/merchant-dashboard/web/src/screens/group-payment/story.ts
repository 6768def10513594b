import type { GroupPaymentIntent, TimelineEntry } from '../../../../src/http/api.ts';

/** A part of a timeline: a payment with its steps, oldest first; webhooks in a row, newest first; or one other entry. */
export type Chapter =
  | { readonly kind: 'payment'; readonly payment: GroupPaymentIntent; readonly steps: TimelineEntry[] }
  | { readonly kind: 'webhooks'; readonly deliveries: TimelineEntry[] }
  | { readonly kind: 'entry'; readonly entry: TimelineEntry };

/** Returns the name of an entry, under which a page keeps what its reader has unfolded while other entries come. */
export function nameEntry({ at, kind, what, from, payment_intent_id, webhook }: TimelineEntry): string {
  if (webhook) return `webhook ${webhook.event_id} ${webhook.endpoint_id}`;
  return [kind, payment_intent_id, from, what, at].join(' ');
}

/** Returns the name of a chapter, likewise. Webhooks in a row keep the name of the oldest of them. */
export function nameChapter(chapter: Chapter): string {
  if (chapter.kind === 'payment') return chapter.payment.id;
  const entry = chapter.kind === 'entry' ? chapter.entry : chapter.deliveries.at(-1);
  return entry ? nameEntry(entry) : chapter.kind;
}

/**
 * Returns a timeline, which is oldest first, as chapters, newest first. All steps of a payment are one chapter, at the place of the
 * newest step.
 */
export function buildStory(
  timeline: readonly TimelineEntry[],
  payments: readonly GroupPaymentIntent[],
): Chapter[] {
  const chapters: Chapter[] = [];
  const paymentOf = new Map(payments.map((payment) => [payment.id, payment]));
  const stepsOf = new Map<string, TimelineEntry[]>();
  for (const entry of timeline.toReversed()) {
    const last = chapters.at(-1);
    const payment = paymentOf.get(entry.payment_intent_id ?? '');
    const steps = payment && stepsOf.get(payment.id);
    if (steps) steps.unshift(entry);
    else if (payment) {
      const begun = [entry];
      stepsOf.set(payment.id, begun);
      chapters.push({ kind: 'payment', payment, steps: begun });
    } else if (!entry.webhook) chapters.push({ kind: 'entry', entry });
    else if (last?.kind === 'webhooks') last.deliveries.push(entry);
    else chapters.push({ kind: 'webhooks', deliveries: [entry] });
  }
  return chapters;
}
