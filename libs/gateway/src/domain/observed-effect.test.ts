import { describe, expect, it } from '@jest/globals';
import { observeEffect } from './observed-effect.ts';
import type { Truth } from './payment.ts';

const truth = (status: Truth['status'], more: Partial<Truth> = {}): Truth => ({
  pspReference: 'pi_1',
  status,
  amountMinor: 1_500n,
  capturedMinor: status === 'captured' ? 1_500n : 0n,
  refundedMinor: 0n,
  currency: 'EUR',
  captureBefore: null,
  isOpenToPayer: false,
  isDisputed: null,
  failure: null,
  actions: [],
  ...more,
});
const KEY = { idempotencyKey: 'test:a:x:2', amountMinor: 1_500n };

describe('the effect of an operation in the gateway’s state of the payment', () => {
  it.each([
    ['capture', truth('captured'), 'present'],
    ['capture', truth('authorised'), 'absent'],
    ['capture', truth('voided'), 'lapsed'],
    ['capture', truth('lapsed'), 'lapsed'],
    ['capture', truth('declined'), 'lapsed'],
    ['void', truth('voided'), 'present'],
    ['void', truth('lapsed'), 'present'],
    ['void', truth('declined'), 'present'],
    ['void', truth('authorised'), 'absent'],
    ['void', truth('awaiting_payer', { isOpenToPayer: true }), 'absent'],
    ['void', truth('captured'), 'captured'],
    ['refund', truth('captured'), 'absent'],
    ['refund', truth('captured', { refundedMinor: 1_500n }), 'present'],
    ['refund', truth('captured', { refundedMinor: 500n }), 'absent'],
    ['refund', truth('captured', { isDisputed: true }), 'refused'],
    ['refund', truth('authorised'), 'refused'],
  ] as const)('the effect of %s on a payment that is %j is %s', (operation, seen, expected) =>
    expect(observeEffect(operation, seen, KEY).is).toBe(expected),
  );

  it('a capture without a hold or a charge has lapsed, even when the payer may still pay with another card (D6)', () =>
    expect(observeEffect('capture', truth('declined', { isOpenToPayer: true }), KEY).is).toBe('lapsed'));

  it('a declined payment that the payer can still pay is not released', () =>
    expect(observeEffect('void', truth('declined', { isOpenToPayer: true }), KEY).is).toBe('absent'));

  it('a pending operation is never sent again', () => {
    const actions = [
      { operation: 'refund', reference: 'other', state: 'pending', amountMinor: 1_500n, failure: null },
    ] as const;
    expect(observeEffect('refund', truth('captured', { actions }), KEY).is).toBe('pending');
  });

  it('a refusal applies only to its own idempotency key', () => {
    const refused = (reference: string) =>
      [{ operation: 'capture', reference, state: 'failed', amountMinor: 1_500n, failure: null }] as const;
    expect(
      observeEffect('capture', truth('authorised', { actions: refused(KEY.idempotencyKey) }), KEY).is,
    ).toBe('refused');
    expect(observeEffect('capture', truth('authorised', { actions: refused('test:a:x:1') }), KEY).is).toBe(
      'absent',
    );
  });
});
