import { describe, expect, it } from '@jest/globals';
import type { PaymentHistory } from '@gp/contracts';
import { mayCancel, previewRefund } from './refund-preview.ts';

const slot = (id: string, state = 'captured') => ({ id, state });
const payment = (id: string, slot_ids: string[], o: Partial<PaymentHistory> = {}): PaymentHistory => ({
  id,
  psp_code: 'gateway_a',
  state: 'captured',
  unknown: false,
  disputed: false,
  amount_minor: '1000',
  captured_minor: '1000',
  refunded_minor: '0',
  slot_ids,
  payer: { email: 'ana@payers.example', name: null },
  failure: null,
  created_at: '2026-01-01T00:00:00.000Z',
  ...o,
});
const slots = [slot('s1'), slot('s2'), slot('s3'), slot('s4', 'refunded')];
const payments = [
  payment('p1', ['s1', 's2']),
  payment('p2', ['s3']),
  payment('p3', ['s4'], { state: 'refunded' }),
];
const idsOf = (chosen: string[] | null) =>
  previewRefund(slots, payments, chosen).map(({ payment: hit, otherSlotIds }) => [hit.id, otherSlotIds]);

function refusalOf(of: typeof slots, chosen: string[]): unknown {
  try {
    return previewRefund(of, payments, chosen);
  } catch (error) {
    return error;
  }
}

describe('the preview of a refund', () => {
  it('of everything hits every captured payment', () => {
    expect(idsOf(null)).toEqual([
      ['p1', []],
      ['p2', []],
    ]);
  });

  it('of a slot hits the whole payment that covers it, and names the slots nobody chose (E4)', () => {
    expect(idsOf(['s1'])).toEqual([['p1', ['s2']]]);
    expect(idsOf(['s1', 's2', 's3'])).toEqual([
      ['p1', []],
      ['p2', []],
    ]);
  });

  it('passes over what was refunded before (E10)', () => {
    expect(idsOf(['s3', 's4'])).toEqual([['p2', []]]);
  });

  it.each([
    ['nothing_to_refund', ['s4']],
    ['invalid_slot_ids', ['s9']],
    ['invalid_slot_ids', ['s1', 's1']],
    ['invalid_slot_ids', []],
  ])('is refused like the refund itself: %s for %j', (code, chosen) => {
    expect(refusalOf(slots, chosen)).toMatchObject({ code });
  });

  it('names the slots that were not captured', () => {
    const refused = refusalOf([...slots, slot('s5', 'assigned')], ['s1', 's5']);
    expect(refused).toMatchObject({ code: 'slots_not_captured', data: { details: ['s5'] } });
  });

  it('says beforehand what no gateway will give back (E7, E9)', () => {
    const hopeless = [
      payment('p1', ['s1'], { psp_code: 'gateway_c' }),
      payment('p2', ['s3'], { disputed: true }),
    ];
    expect(previewRefund(slots, hopeless, null).map(({ obstacle }) => obstacle)).toEqual([
      'refunds through the API are unavailable for gateway_c',
      'payment is disputed',
    ]);
  });
});

it('a group is cancelled only while nobody was charged (Q2)', () => {
  const states = [
    'open',
    'partially_preauthorised',
    'preauthorised',
    'capturing',
    'paid',
    'expired',
    'cancelled',
  ];
  expect(states.filter(mayCancel)).toEqual(['open', 'partially_preauthorised', 'preauthorised']);
});
