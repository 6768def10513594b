import type { GroupPaymentDetail, OrganiserRight } from '../../../../src/http/api.ts';
import type { Mode } from '../../shell/mode.ts';
import type { TypedSlot } from './slots-field.tsx';

/** What must be held for a capture when time runs out, as it is typed; empty to release everything then. */
export type TypedMinimum = { readonly unit: 'slots' | 'amount'; readonly value: string | number };

/** The form of a new group payment as it is typed. */
export type Bill = {
  readonly name: string;
  readonly total: string;
  readonly currency: string;
  readonly isByHand: boolean;
  readonly count: string | number;
  readonly slots: readonly TypedSlot[];
  readonly expiry: string;
  readonly minimum: TypedMinimum;
  readonly maxTip: string;
  /** Undefined until the user chooses: the merchant's setting. */
  readonly may: readonly OrganiserRight[] | undefined;
};

const EMPTY: Bill = {
  ...{ name: '', total: '', currency: 'EUR', isByHand: false, count: 3, slots: [{ amount: '', label: '' }] },
  ...{ expiry: '3600', minimum: { unit: 'slots', value: '' }, maxTip: '', may: undefined },
};

/** Returns the form as it opens: with an example in test mode, empty where payers are charged. */
export function newBill(mode: Mode): Bill {
  if (mode === 'live') return EMPTY;
  return { ...EMPTY, name: 'Dinner for three', total: '30.00', slots: [{ amount: '10.00', label: '' }] };
}

/** Returns the form of a bill like one that exists, to be paid from now on. */
export function copyBill({ group_payment, slots, max_tip, organiser, ...detail }: GroupPaymentDetail): Bill {
  const { group_name: name, total } = group_payment;
  return {
    ...{ name, total: total.text, currency: total.currency, expiry: EMPTY.expiry },
    ...{ isByHand: true, count: slots.length, maxTip: max_tip?.text ?? '' },
    slots: slots.map(({ amount, label }) => ({ amount: amount.text, label: label ?? '' })),
    minimum: copyMinimum(detail.capture_at_expiry),
    may: organiser?.may ?? [],
  };
}

function copyMinimum(minimum: GroupPaymentDetail['capture_at_expiry']): TypedMinimum {
  if (!minimum) return EMPTY.minimum;
  return 'minimum_slots' in minimum
    ? { unit: 'slots', value: minimum.minimum_slots }
    : { unit: 'amount', value: minimum.minimum_amount.text };
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
    ...formatMinimum(bill.minimum),
    ...(bill.maxTip.trim() !== '' && { max_tip: readAmount(bill.maxTip) }),
  };
}

function formatMinimum({ unit, value }: TypedMinimum): object {
  const typed = String(value).trim();
  if (typed === '') return {};
  return {
    capture_at_expiry:
      unit === 'slots' ? { minimum_slots: Number(typed) } : { minimum_amount: readAmount(typed) },
  };
}
