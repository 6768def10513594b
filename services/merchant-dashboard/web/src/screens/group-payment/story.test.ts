import { expect, it } from '@jest/globals';
import type { GroupPaymentIntent, TimelineEntry } from '../../../../src/http/api.ts';
import { buildStory } from './story.ts';

const payments = ['ana', 'ben'].map((id) => ({ id })) as unknown as GroupPaymentIntent[];
const entry = (what: string, payment_intent_id: string | null = null) =>
  ({ what, payment_intent_id, webhook: null }) as unknown as TimelineEntry;
const webhook = (what: string) => ({ ...entry(what), webhook: {} }) as unknown as TimelineEntry;

/** Returns the chapters as names of their entries. */
const tell = (...timeline: TimelineEntry[]) =>
  buildStory(timeline, payments).map((chapter) => {
    if (chapter.kind === 'payment') return [chapter.payment.id, ...chapter.steps.map(({ what }) => what)];
    if (chapter.kind === 'webhooks') return ['webhooks', ...chapter.deliveries.map(({ what }) => what)];
    return [chapter.entry.what];
  });

it('steps of a payment are one chapter in their order, at the place of the newest one', () => {
  const story = tell(
    entry('open'),
    entry('begun', 'ana'),
    entry('begun', 'ben'),
    entry('held', 'ana'),
    entry('held', 'ben'),
    entry('capturing'),
    entry('captured', 'ana'),
  );
  expect(story).toEqual([
    ['ana', 'begun', 'held', 'captured'],
    ['capturing'],
    ['ben', 'begun', 'held'],
    ['open'],
  ]);
});

it('webhooks in a row are one chapter, newest first; other entries part them', () => {
  const story = tell(webhook('1'), webhook('2'), entry('paid'), webhook('3'));
  expect(story).toEqual([['webhooks', '3'], ['paid'], ['webhooks', '2', '1']]);
});

it('a step of a payment that is not known is an entry of its own', () => {
  expect(tell(entry('held', 'gone'), entry('held', 'gone'))).toEqual([['held'], ['held']]);
});

it('a timeline without entries has no chapters', () => expect(tell()).toEqual([]));
