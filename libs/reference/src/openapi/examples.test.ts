import { expect, it } from '@jest/globals';
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
