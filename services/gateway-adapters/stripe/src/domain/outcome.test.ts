import { describe, expect, it } from '@jest/globals';
import { findDeclineReason } from '@gp/contracts';
import { buildCardFailure, buildRequestFailure, classifyError } from './outcome.ts';

describe('the meaning of an error of gateway_a', () => {
  it.each([
    [402, 'card_error', 'card_declined', 'declined'],
    [402, 'card_error', 'expired_card', 'declined'],
    [402, 'card_error', 'incorrect_cvc', 'declined'],
    [402, 'card_error', 'processing_error', 'declined'],
    [402, 'invalid_request_error', 'payment_intent_authentication_failure', 'declined'],
    [400, 'invalid_request_error', 'payment_intent_unexpected_state', 'conflict'],
    [400, 'invalid_request_error', 'charge_already_captured', 'conflict'],
    [400, 'invalid_request_error', 'charge_expired_for_capture', 'conflict'],
    [400, 'invalid_request_error', 'charge_already_refunded', 'conflict'],
    [400, 'invalid_request_error', 'charge_disputed', 'conflict'],
    [404, 'invalid_request_error', 'resource_missing', 'conflict'],
    [400, 'invalid_request_error', 'amount_too_small', 'invalid'],
    [400, 'idempotency_error', '', 'unknown'],
    [409, 'invalid_request_error', 'idempotency_key_in_use', 'unknown'],
    [429, 'invalid_request_error', 'lock_timeout', 'retryable'],
    [429, 'invalid_request_error', 'rate_limit', 'retryable'],
    [401, 'invalid_request_error', '', 'misconfigured'],
    [403, 'invalid_request_error', 'account_invalid', 'misconfigured'],
    [500, 'api_error', '', 'unknown'],
    [503, 'api_error', '', 'unknown'],
    [undefined, '', 'ECONNRESET', 'unknown'],
  ] as const)('the error %s %s %s of gateway_a is %s', (status, type, code, meaning) =>
    expect(classifyError(status, type, code)).toBe(meaning),
  );

  it('an undocumented code is unknown, not a refusal', () =>
    expect(classifyError(402, 'card_error', 'brand_new_code')).toBe('unknown'));

  it('the text for a payer never discloses that a card was lost or stolen', () => {
    for (const declineCode of ['lost_card', 'stolen_card', 'fraudulent'])
      expect(buildCardFailure({ code: 'card_declined', declineCode }).message).toBe('the card was declined');
  });

  it.each([
    ['card_declined', 'insufficient_funds', 'insufficient_funds'],
    ['expired_card', null, 'expired_card'],
    ['incorrect_number', null, 'incorrect_number'],
    ['incorrect_cvc', null, 'incorrect_cvc'],
    ['card_declined', 'lost_card', null],
    ['card_declined', 'fraudulent', null],
    ['card_declined', 'generic_decline', null],
  ])('the decline %s %s of gateway_a tells a payer the reason %s', (code, declineCode, reason) =>
    expect(findDeclineReason(buildCardFailure({ code, declineCode }))).toBe(reason),
  );

  it('limits of the amount have error codes of ours', () =>
    expect(buildRequestFailure('amount_too_small').code).toBe('amount_below_gateway_minimum'));
});
