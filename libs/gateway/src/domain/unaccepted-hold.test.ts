import { describe, expect, it } from '@jest/globals';
import { buildUnacceptedError, type LedgerReply } from './unaccepted-hold.ts';

const findCode = (
  o: Omit<Partial<LedgerReply>, 'intent'> & { failure?: LedgerReply['intent']['failure'] },
) => {
  const { failure = null, ...reply } = o;
  const intent = { state: 'void_pending', failure } as LedgerReply['intent'];
  return buildUnacceptedError({
    verdict: 'applied',
    reason: null,
    group_state: 'partially_preauthorised',
    ...reply,
    intent,
  }).code;
};

describe('a hold that the ledger did not accept', () => {
  it.each(['expired', 'capturing', 'partially_paid', 'refunded'] as const)(
    'a payer whose payment the expiry withdrew gets group_expired, though the group is %s by then (B7, Q90)',
    (group_state) => expect(findCode({ group_state, is_group_expired: true })).toBe('group_expired'),
  );

  it('a ledger of the release before names an expiry by the state of the group', () => {
    expect(findCode({ group_state: 'expired' })).toBe('group_expired');
  });

  it.each([
    ['partially_preauthorised', 'slot_no_longer_available'],
    ['capturing', 'slot_no_longer_available'],
    ['cancelled', 'group_not_payable'],
  ] as const)(
    'a payment that was replaced or withdrawn in a group that is %s gets %s',
    (group_state, code) => {
      expect(findCode({ group_state, is_group_expired: false })).toBe(code);
    },
  );

  it('the failure that the ledger recorded goes before the state of the group', () => {
    const failure = (code: string) => ({ code, message: 'why', retryable: false });
    expect(findCode({ is_group_expired: true, failure: failure('too_many_declines') })).toBe(
      'too_many_declines',
    );
    expect(findCode({ is_group_expired: true, failure: failure('amount_mismatch') })).toBe('card_declined');
  });
});
