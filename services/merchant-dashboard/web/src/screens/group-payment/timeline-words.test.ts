import { expect, it } from '@jest/globals';
import type { GroupPaymentDetail, GroupPaymentIntent, TimelineEntry } from '../../../../src/http/api.ts';
import {
  formatActor,
  formatAdvice,
  formatDeliveries,
  formatHeadline,
  formatPayment,
  formatStep,
} from './timeline-words.ts';

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
const slots = ['s1', 's2', 's3'].map((id, index) => ({
  id,
  sequence_no: index + 1,
  label: id === 's3' ? 'Dessert' : null,
})) as unknown as GroupPaymentDetail['slots'];
const payer = { id: 'c1', email: 'ana@example.com', name: 'Ana' };
const payment = {
  state: 'captured',
  payer,
  amount: money,
  slot_ids: ['s1', 's3'],
  is_disputed: false,
} as const;

it.each<[Partial<Pick<GroupPaymentIntent, 'state' | 'payer' | 'tip' | 'slot_ids' | 'is_disputed'>>, string]>([
  [{}, 'Ana paid €10.00 (slot 1, 3: \u2068Dessert\u2069)'],
  [{ slot_ids: [] }, 'Ana paid €10.00'],
  [{ slot_ids: ['s1'], tip: { ...money, text: '1.50' } }, 'Ana paid €10.00 (slot 1; tip €1.50)'],
  [{ payer: { ...payer, name: null } }, 'ana@example.com paid €10.00 (slot 1, 3: \u2068Dessert\u2069)'],
  [{ state: 'preauthorised' }, 'Ana has €10.00 held (slot 1, 3: \u2068Dessert\u2069)'],
  [{ state: 'failed' }, 'Ana could not pay €10.00 (slot 1, 3: \u2068Dessert\u2069)'],
  [{ state: 'voided' }, 'Ana’s payment of €10.00 was released (slot 1, 3: \u2068Dessert\u2069)'],
  [{ is_disputed: true }, 'Ana disputes €10.00 (slot 1, 3: \u2068Dessert\u2069)'],
  [{ state: 'refunded' }, 'Ana was refunded €10.00 (slot 1, 3: \u2068Dessert\u2069)'],
])('a payment %j is told as: %s', (part, expected) => {
  expect(formatPayment({ ...payment, ...part }, slots)).toBe(expected);
});

it('a payment that a bank still shows otherwise comes with what to tell its payer, every other one without', () => {
  const advise = (state: GroupPaymentIntent['state'], wasHeld: boolean, is_disputed = false) =>
    formatAdvice({ state, is_disputed }, wasHeld);
  expect(advise('voided', true)).toMatch(/^Nothing was charged/);
  expect(advise('refunded', true)).toMatch(/some days/);
  expect(advise('voided', false)).toBeUndefined();
  expect(advise('captured', true)).toBeUndefined();
  expect(advise('captured', true, true)).toMatch(/^Answer it in the dashboard of the gateway/);
});

it('the first step of a payment is its begin, every other one its state, and a refund that failed is named', () => {
  const steps = [
    { from: null, what: 'created' },
    entry,
    { from: 'capture_pending', what: 'captured' },
    { from: 'refund_pending', what: 'captured' },
    { from: 'captured', what: 'disputed' },
    { from: 'disputed', what: 'dispute_closed' },
  ];
  expect(steps.map(formatStep)).toEqual([
    'begun',
    'held',
    'captured',
    'refund failed',
    'disputed',
    'dispute closed',
  ]);
});

it.each<[Partial<TimelineEntry>, string]>([
  [{}, 'Payment held'],
  [{ kind: 'group', payment_intent_id: null, from: null, what: 'open' }, 'Group payment created'],
  [{ kind: 'group', payment_intent_id: null, what: 'partially_paid' }, 'Group payment partly paid'],
])('an entry %j is shown as: %s', (part, expected) => {
  expect(formatHeadline({ ...entry, ...part })).toBe(expected);
});

it('deliveries in a row are counted by how they ended', () => {
  const deliveries = ['delivered', 'pending', 'delivered'].map((what) => ({ what }));
  expect(formatDeliveries(deliveries)).toBe('3 webhooks: 2 delivered, 1 pending');
});

it.each([
  ['merchant', true, 'by your server'],
  ['api', true, 'by your server'],
  ['dashboard', true, 'by a team member in the dashboard'],
  ['dashboard:ana@shop.example', true, 'by ana@shop.example in the dashboard'],
  ['payer', true, 'by the payer'],
  ['organiser', true, 'by the organiser'],
  ['operator:ana', true, 'by operator ana of this platform'],
  ['operator:constructor', true, 'by operator constructor of this platform'],
  ['constructor', true, 'by constructor'],
  ['merchant', false, 'by a change of your gateways'],
  ['scheduler', false, 'by the passing of time'],
  ['webhook-dispatcher', false, 'by the delivery of webhooks'],
  ['gateway_a:response', false, 'by an answer of gateway_a'],
  ['gateway_b:callback', false, 'by a callback of gateway_b'],
  ['gateway_c:query', false, 'by a query to gateway_c'],
  ['gateway_c:external', false, 'by the dashboard of gateway_c'],
  ['gateway_c', false, 'by gateway_c'],
] as const)('the timeline names the actor %s in words', (actor, is_command, words) => {
  expect(formatActor({ kind: 'group', from: 'open', actor, is_command })).toBe(words);
});

it('the timeline does not say which of its own programs or people of a merchant created a group payment', () => {
  const created = { kind: 'group', from: null, actor: 'merchant', is_command: true } as const;
  expect(formatActor(created)).toBe('by your server or in the dashboard');
});
