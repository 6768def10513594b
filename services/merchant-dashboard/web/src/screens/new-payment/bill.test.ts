import { describe, expect, it } from '@jest/globals';
import type { GroupPaymentDetail } from '../../../../src/http/api.ts';
import { copyBill, formatBill, newBill, type Bill } from './bill.ts';

const EXAMPLE = newBill('test');

it('a bill in equal parts asks for a total and a number of slots, one by hand for its slots alone', () => {
  expect(formatBill({ ...EXAMPLE, total: ' 12,50 ' }, ['remind'])).toEqual({
    ...{ group_name: 'Dinner for three', currency: 'EUR', total_amount: '12.50', number_of_slots: 3 },
    ...{ expires_in_seconds: 3_600, organiser: { may: ['remind'] } },
  });
  const slots = [
    { amount: '7,5', label: ' Menu ' },
    { amount: '3', label: '' },
  ];
  expect(
    formatBill(
      { ...EXAMPLE, isByHand: true, slots, may: [], minimum: { unit: 'slots', value: 1 }, maxTip: '2' },
      ['remind'],
    ),
  ).toEqual({
    ...{
      group_name: 'Dinner for three',
      currency: 'EUR',
      slots: [{ amount: '7.5', label: 'Menu' }, { amount: '3' }],
    },
    ...{ expires_in_seconds: 3_600, organiser: null, capture_at_expiry: { minimum_slots: 1 }, max_tip: '2' },
  });
});

it('a minimum is a number of slots or an amount, and nothing is sent of an empty one (Q90)', () => {
  const format = (minimum: Bill['minimum']) => formatBill({ ...EXAMPLE, minimum }, []);
  expect(format({ unit: 'amount', value: ' 20,50 ' })).toMatchObject({
    capture_at_expiry: { minimum_amount: '20.50' },
  });
  for (const unit of ['slots', 'amount'] as const)
    expect(format({ unit, value: ' ' })).not.toHaveProperty('capture_at_expiry');
});

it('the form of a live payment opens without an example, which somebody could send by mistake (K15)', () => {
  expect(newBill('live')).toMatchObject({ name: '', total: '', slots: [{ amount: '', label: '' }] });
});

describe('a copy of a bill', () => {
  const money = (text: string) => ({ minor: '0', currency: 'USD', text });
  const detail = {
    group_payment: { group_name: 'Padel', total: money('25.00') },
    slots: [
      { amount: money('20.00'), label: 'Court' },
      { amount: money('5.00'), label: null },
    ],
    ...{ max_tip: money('4.00'), organiser: { may: ['extend'] } },
  };
  const copy = (capture_at_expiry?: object) =>
    formatBill(copyBill({ ...detail, capture_at_expiry } as unknown as GroupPaymentDetail), ['remind']);

  it('a copy of a bill has its name, currency, slots with labels, tips and rights', () => {
    expect(copy()).toEqual({
      ...{ group_name: 'Padel', currency: 'USD', expires_in_seconds: 3_600, max_tip: '4.00' },
      ...{ slots: [{ amount: '20.00', label: 'Court' }, { amount: '5.00' }], organiser: { may: ['extend'] } },
    });
  });

  it('a copy of a bill captures at the expiry where the original does, by slots or by amount (Q90)', () => {
    expect(copy({ minimum_slots: 1 })).toMatchObject({ capture_at_expiry: { minimum_slots: 1 } });
    expect(copy({ minimum_amount: money('20.00') })).toMatchObject({
      capture_at_expiry: { minimum_amount: '20.00' },
    });
  });
});
