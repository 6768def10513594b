import { expect, it } from '@jest/globals';
import type { RefundPart } from '@gp/contracts';
import { buildAnswer } from './build-answer.ts';

const part: RefundPart = {
  intent_id: 'payment',
  psp_code: 'gateway_a',
  slot_ids: ['slot'],
  amount_minor: '1000',
  status: 'started',
  error: null,
};

const answer = (change: Partial<RefundPart>) =>
  buildAnswer({
    merchant_id: 'merchant',
    mode: 'test',
    group_id: 'group',
    refund_id: 'refund',
    version: 1,
    group_state: 'refunding',
    parts: [{ ...part, ...change }],
    is_settled: false,
    state_otherwise: 'refund_failed',
  });

const refused = { status: 'failed', error: 'payment is disputed' } as const;

it.each<[title: string, change: Partial<RefundPart>, code: string, error: string]>([
  ['refused', { ...refused, error_code: 'payment_disputed' }, 'payment_disputed', 'payment is disputed'],
  ['refused, as an older ledger says it', refused, 'gateway_refused', 'payment is disputed'],
  ['that came back', { status: 'reversed' }, 'reversed', 'the money came back after it was refunded'],
  [
    'that is sent again',
    { status: 'waiting' },
    'outcome_unknown',
    'not taken by the gateway yet, being tried again',
  ],
  ['that was sent', { status: 'started' }, 'outcome_unknown', 'outcome unknown, being verified'],
  ['whose outcome is unknown', { status: 'unknown' }, 'outcome_unknown', 'outcome unknown, being verified'],
])('a refund %s is answered with its code and reason', (_title, change, code, error) => {
  expect(answer(change)).toMatchObject({
    refunded: [],
    failed: [{ intent_id: 'payment', psp_code: 'gateway_a', code, error }],
  });
});

it('a payment that was refunded is answered with its slots and is not listed as failed', () => {
  expect(answer({ status: 'refunded' })).toMatchObject({
    refunded: [{ intent_id: 'payment', slot_ids: ['slot'] }],
    failed: [],
  });
});
