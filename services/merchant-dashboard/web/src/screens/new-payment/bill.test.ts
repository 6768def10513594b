import { expect, it } from '@jest/globals';
import type { GroupPaymentDetail } from '../../../../src/http/api.ts';
import { copyBill, FIRST_BILL, formatBill } from './bill.ts';

it('a bill in equal parts asks for a total and a number of slots, one by hand for its slots alone', () => {
  expect(formatBill({ ...FIRST_BILL, total: ' 12,50 ' }, ['remind'])).toEqual({
    ...{ group_name: 'Dinner for three', currency: 'EUR', total_amount: '12.50', number_of_slots: 3 },
    ...{ expires_in_seconds: 3_600, organiser: { may: ['remind'] } },
  });
  const slots = [
    { amount: '7,5', label: ' Menu ' },
    { amount: '3', label: '' },
  ];
  expect(
    formatBill({ ...FIRST_BILL, isByHand: true, slots, may: [], enough: 1, maxTip: '2' }, ['remind']),
  ).toEqual({
    ...{
      group_name: 'Dinner for three',
      currency: 'EUR',
      slots: [{ amount: '7.5', label: 'Menu' }, { amount: '3' }],
    },
    ...{ expires_in_seconds: 3_600, organiser: null, minimum_slots: 1, max_tip: '2' },
  });
});

it('a copy of a bill has its name, currency, slots with labels, minimum, tips and rights', () => {
  const money = (text: string) => ({ minor: '0', currency: 'USD', text });
  const detail = {
    group_payment: { group_name: 'Padel', total: money('25.00') },
    slots: [
      { amount: money('20.00'), label: 'Court' },
      { amount: money('5.00'), label: null },
    ],
    ...{ max_tip: money('4.00'), capture_at_expiry: { minimum_slots: 1 }, organiser: { may: ['extend'] } },
  } as unknown as GroupPaymentDetail;
  expect(formatBill(copyBill(detail), ['remind'])).toEqual({
    ...{ group_name: 'Padel', currency: 'USD', expires_in_seconds: 3_600, minimum_slots: 1, max_tip: '4.00' },
    ...{ slots: [{ amount: '20.00', label: 'Court' }, { amount: '5.00' }], organiser: { may: ['extend'] } },
  });
});
