import { expect, it } from '@jest/globals';
import type { GroupPaymentIntent, TimelineEntry } from '../../../../src/http/api.ts';
import { buildStory, nameChapter } from './story.ts';

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

it('chapters keep their names while others come before them, and while a delivery goes on', () => {
  const at = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`;
  const sent = (event_id: string, what: string, minute: number) =>
    ({ ...entry(what), at: at(minute), webhook: { event_id, endpoint_id: 'shop' } }) as TimelineEntry;
  const name = (...timeline: TimelineEntry[]) => buildStory(timeline, payments).map(nameChapter);
  const opened = { ...entry('open'), at: at(0) };
  const held = { ...entry('held', 'ana'), at: at(1) };
  const before = name(opened, held, sent('e1', 'pending', 2));
  const paid = { ...entry('paid'), at: at(3) };
  const after = name(opened, held, sent('e1', 'delivered', 2), sent('e2', 'pending', 2), paid);
  expect(after).toEqual([expect.any(String), ...before]);
  expect(new Set(after).size).toBe(4);
});
