import type { GroupPaymentDetail, OrganiserRight } from '../../../../src/http/api.ts';
import type { TypedSlot } from './slots-field.tsx';

/** The form of a new test payment as it is typed. */
export type Bill = {
  readonly name: string;
  readonly total: string;
  readonly currency: string;
  readonly isByHand: boolean;
  readonly count: string | number;
  readonly slots: readonly TypedSlot[];
  readonly expiry: string;
  readonly enough: string | number;
  readonly maxTip: string;
  /** Undefined until the user chooses: the merchant's setting. */
  readonly may: readonly OrganiserRight[] | undefined;
};

export const FIRST_BILL: Bill = {
  ...{ name: 'Dinner for three', total: '30.00', currency: 'EUR', expiry: '3600', enough: '', maxTip: '' },
  ...{ isByHand: false, count: 3, slots: [{ amount: '10.00', label: '' }], may: undefined },
};

/** Returns the form of a bill like one that exists, to be paid from now on. */
export function copyBill({ group_payment, slots, max_tip, organiser, ...detail }: GroupPaymentDetail): Bill {
  const { group_name: name, total } = group_payment;
  const minimum = detail.capture_at_expiry;
  return {
    ...{ name, total: total.text, currency: total.currency, expiry: FIRST_BILL.expiry },
    ...{ isByHand: true, count: slots.length, maxTip: max_tip?.text ?? '' },
    slots: slots.map(({ amount, label }) => ({ amount: amount.text, label: label ?? '' })),
    enough: minimum && 'minimum_slots' in minimum ? minimum.minimum_slots : '',
    may: organiser?.may ?? [],
  };
}

/** An amount as it was typed, with the decimal point that the platform reads. */
const readAmount = (typed: string): string => typed.trim().replace(',', '.');

/** Returns the request that creates a bill. */
export function formatBill(bill: Bill, usual: readonly OrganiserRight[]): object {
  const may = bill.may ?? usual;
  const slots = bill.slots.map(({ amount, label }) => ({
    amount: readAmount(amount),
    ...(label.trim() !== '' && { label: label.trim() }),
  }));
  return {
    group_name: bill.name,
    currency: bill.currency,
    ...(bill.isByHand
      ? { slots }
      : { total_amount: readAmount(bill.total), number_of_slots: Number(bill.count) }),
    expires_in_seconds: Number(bill.expiry),
    organiser: may.length > 0 ? { may } : null,
    ...(bill.enough !== '' && { minimum_slots: Number(bill.enough) }),
    ...(bill.maxTip.trim() !== '' && { max_tip: readAmount(bill.maxTip) }),
  };
}
