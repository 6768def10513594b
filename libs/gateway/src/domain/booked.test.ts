import { expect, it } from '@jest/globals';
import { toPaymentMoney } from './booked.ts';
import type { Truth } from './payment.ts';

const truth: Truth = {
  pspReference: 'pi_1',
  status: 'authorised',
  amountMinor: 1_000n,
  capturedMinor: 0n,
  refundedMinor: 0n,
  currency: 'EUR',
  captureBefore: null,
  isOpenToPayer: false,
  isDisputed: null,
  failure: null,
  actions: [],
};
const money = (held_minor: string, captured_minor: string, refunded_minor: string) => ({
  held_minor,
  captured_minor,
  refunded_minor,
});

it.each([
  ['a hold', {}, money('1000', '0', '0')],
  ['a charge', { status: 'captured', capturedMinor: 1_000n }, money('0', '1000', '0')],
  [
    'a charge that was refunded in part',
    { status: 'captured', capturedMinor: 1_000n, refundedMinor: 300n },
    money('0', '1000', '300'),
  ],
  [
    'the release of a hold that the gateway shows as a refund',
    { status: 'voided', refundedMinor: 1_000n },
    money('0', '0', '0'),
  ],
  ['a payment that is not paid yet', { status: 'awaiting_payer' }, money('0', '0', '0')],
] as const)('the books count %s once', (_what, seen, expected) => {
  expect(toPaymentMoney({ ...truth, ...seen })).toEqual(expected);
});
