import { describe, expect, it } from '@jest/globals';
import { findDeclineReason } from '@gp/contracts';
import { buildRequestFailure, buildResponseFailure, classifyResponse } from './outcome.ts';

describe('the meaning of a response code of gateway_b', () => {
  it.each(['10000', '10100', '10200'])('the response code %s of gateway_b is approved', (code) =>
    expect(classifyResponse(code)).toBe('approved'),
  );

  it.each('20001 20005 20014 20051 20054 20059 20087 20088 20100 30004 30041 30043 40101 40104'.split(' '))(
    'the response code %s of gateway_b is declined',
    (code) => expect(classifyResponse(code)).toBe('declined'),
  );

  it.each(['50000', '90000', '00000', '2005', '', 'abcde', '21000'])(
    'the response code %p of gateway_b is unknown, never declined',
    (code) => expect(classifyResponse(code)).toBe('unknown'),
  );

  it('the text for a payer never discloses that a card was lost or stolen', () => {
    for (const code of ['30041', '30043', '20059', '40101'])
      expect(buildResponseFailure(code).message).toBe('the card was declined');
  });

  it.each([
    ['20051', 'insufficient_funds'],
    ['20054', 'expired_card'],
    ['20014', 'incorrect_number'],
    ['20100', 'incorrect_expiry'],
    ['40104', 'incorrect_cvc'],
    ['30041', null],
    ['40101', null],
    ['20005', null],
  ])('the response code %s of gateway_b tells a payer the reason %s', (code, reason) =>
    expect(findDeclineReason(buildResponseFailure(code))).toBe(reason),
  );
});

describe('the meaning of a 422 of gateway_b', () => {
  it('a fault of the card in a 422 of gateway_b is a decline', () =>
    expect(buildRequestFailure(['card_number_invalid'])).toMatchObject({ code: 'card_declined' }));
  it('a fault of our request in a 422 of gateway_b is a refusal', () =>
    expect(buildRequestFailure(['amount_invalid'])).toMatchObject({ code: 'gateway_refused' }));
  it('an undocumented code in a 422 of gateway_b has no meaning', () => {
    expect(buildRequestFailure(['brand_new_code'])).toBeUndefined();
    expect(buildRequestFailure([])).toBeUndefined();
  });
});
