import { expect, it } from '@jest/globals';
import type { GroupPaymentDetail, TimelineEntry } from '../../../../src/http/api.ts';
import { formatHeadline } from './timeline-words.ts';

const money = { minor: '1000', currency: 'EUR', text: '10.00' };
const entry: TimelineEntry = {
  at: '2026-03-10T12:00:00.000Z',
  kind: 'payment',
  what: 'preauthorised',
  from: 'processing',
  actor: 'gateway-a',
  trace_id: null,
  is_command: false,
  payment_intent_id: 'p1',
  failure: null,
  psp_reference: null,
  webhook: null,
};
const known = {
  slots: ['s1', 's2', 's3'].map((id, index) => ({ id, sequence_no: index + 1, amount: money })),
  payments: [{ id: 'p1', payer: { email: 'ana@example.com', name: 'Ana' }, slot_ids: ['s1', 's3'] }],
} as unknown as GroupPaymentDetail;

it.each<[Partial<TimelineEntry>, string]>([
  [{}, 'Payment of Ana (slot 1, 3) held'],
  [{ from: null, what: 'created' }, 'Payment of Ana (slot 1, 3) begun'],
  [{ payment_intent_id: 'forgotten' }, 'Payment held'],
  [{ kind: 'group', payment_intent_id: null, from: null, what: 'open' }, 'Group payment created'],
  [{ kind: 'group', payment_intent_id: null, what: 'partially_paid' }, 'Group payment partly paid'],
])('an entry %j is shown as: %s', (part, expected) => {
  expect(formatHeadline({ ...entry, ...part }, known)).toBe(expected);
});
