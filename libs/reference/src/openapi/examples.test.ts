import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { isObject } from '../json.ts';
import { otherExamples, responseExamples } from './examples.ts';

type Refund = {
  readonly refunded_payment_intents: readonly string[];
  readonly failed: readonly { readonly payment_intent_id: string }[];
  readonly group_state: string;
};
type Clock = {
  readonly ahead_seconds: number;
  readonly remaining_seconds: number;
  readonly state: string;
};

const list = <T>(examples: (typeof responseExamples)[string] | undefined): readonly T[] =>
  Object.values(examples ?? {}).map(({ value }) => value as T);

it('no example of a refund lists a payment as refunded and as failed, and its state says which of both happened', () => {
  const answered = list<Refund>(responseExamples['refundGroupPayment']);
  const rejected = list<Refund>(otherExamples['refundGroupPayment']);
  const told = [...answered, ...rejected].map(({ refunded_payment_intents: back, failed, group_state }) => {
    expect(failed.filter(({ payment_intent_id: id }) => back.includes(id))).toEqual([]);
    return [back.length, failed.length, group_state];
  });
  expect(told).toEqual([
    [1, 0, 'refunded'],
    [1, 1, 'partially_refunded'],
    [0, 1, 'refund_failed'],
  ]);
});

it('the example of a declined card does not say that the same card may be tried again', () => {
  const [, declined] = list<{ failure: unknown }>(responseExamples['createTestPayment']);
  expect(declined?.failure).toMatchObject({ code: 'card_declined', retryable: false });
});

it('the examples of the test clock tell an advance of an hour: begun, done, and taken back', () => {
  const tell = (id: string) =>
    list<Clock>(responseExamples[id]).map((clock) => [
      clock.ahead_seconds,
      clock.remaining_seconds,
      clock.state,
    ]);
  expect(tell('advanceTestClock')).toEqual([[0, 3_600, 'advancing']]);
  expect(tell('getTestClock')).toEqual([[3_600, 0, 'settled']]);
  expect(tell('resetTestClock')).toEqual([
    [3_600, 0, 'advancing'],
    [0, 0, 'settled'],
  ]);
});

type Sampled = {
  readonly components: { readonly schemas: Record<string, { examples?: readonly unknown[] }> };
};
const { components } = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
) as Sampled;
const samples = Object.entries(components.schemas).flatMap(([title, { examples }]) =>
  isObject(examples?.[0]) ? [[title, examples[0]] as const] : [],
);

/** The paths of texts that say no more than the name of their field. */
function listEmpty(value: unknown, name: string, path: string): string[] {
  if (typeof value === 'string') return value === name.replaceAll('_', ' ') ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((one) => listEmpty(one, name, path));
  return Object.entries(isObject(value) ? value : {}).flatMap(([key, part]) =>
    listEmpty(part, key, `${path}.${key}`),
  );
}

it('no sample of a schema has a text that only repeats the name of its field', () =>
  expect(samples.flatMap(([title, sample]) => listEmpty(sample, '', title))).toEqual([]));

it('the sample of an event tells money and a state that fit its type, and is no test event', () => {
  const events = samples.filter(([title]) => title.endsWith('Event'));
  const told = events.map(([, { type, data }]) => {
    const { state, amount_captured, amount_refunded, is_test_event } = data as Record<string, unknown>;
    expect(is_test_event).toBeUndefined();
    return [type, state, ...(amount_captured === undefined ? [] : [amount_captured, amount_refunded])];
  });
  expect(new Map(told.map(([type, ...rest]) => [type, rest]))).toEqual(
    new Map<unknown, unknown>([
      ['payment_intent.preauthorised', ['preauthorised']],
      ['payment_intent.captured', ['captured']],
      ['payment_intent.refunded', ['refunded']],
      ['payment_intent.failed', ['failed']],
      ['payment_intent.released', ['voided']],
      ['payment_intent.disputed', ['captured']],
      ['payment_intent.dispute_closed', ['captured']],
      ['group_payment.partially_paid', ['partially_paid', 60, 0]],
      ['group_payment.paid', ['paid', 90, 0]],
      ['group_payment.partially_refunded', ['partially_refunded', 90, 30]],
      ['group_payment.refunded', ['refunded', 90, 90]],
      ['group_payment.refund_failed', ['refund_failed', 90, 0]],
      ['group_payment.expired', ['expired', 0, 0]],
      ['group_payment.cancelled', ['cancelled', 0, 0]],
      ['group_payment.capture_failed', ['capture_failed', 0, 0]],
      ['group_payment.updated', ['open', 0, 0]],
    ]),
  );
});

it('the samples of a payment and of a slot have ids of their own, and a payment whose amounts add up', () => {
  const sampleOf = (title: string) => samples.find(([name]) => name === title)?.[1];
  expect(sampleOf('Payment')).toMatchObject({
    state: 'captured',
    amount: 30,
    amount_captured: 30,
    failure: null,
  });
  expect(sampleOf('PaymentSlot')?.['id']).not.toBe(sampleOf('GroupPayment')?.['id']);
  expect(sampleOf('RefundResponse')).toMatchObject({ failed: [], group_state: 'refunded' });
});
