import { describe, expect, it } from '@jest/globals';
import { mapAuthorisationReply, mapStepReply, mapTransportError, mapFailedQuery } from './answers.ts';

const approved = {
  id: 'pay_1',
  status: 'Authorized',
  approved: true,
  amount: 1500,
  currency: 'EUR',
  response_code: '10000',
  expires_on: '2026-11-27T12:00:00Z',
};

describe('an answer of gateway_b to a payment request', () => {
  it('a 201 of gateway_b that is approved is a hold', () =>
    expect(mapAuthorisationReply({ status: 201, body: approved })).toMatchObject({
      kind: 'approved',
      amountMinor: 1_500n,
      captureBefore: new Date('2026-11-27T12:00:00Z'),
    }));

  it.each([
    [
      'a decline',
      201,
      { ...approved, approved: false, status: 'Declined', response_code: '20005' },
      'declined',
    ],
    ['an undocumented code', 201, { ...approved, approved: false, response_code: '99999' }, 'unknown'],
    ['an approval that is captured at once', 201, { ...approved, status: 'Captured' }, 'unknown'],
    ['a payer to be authenticated', 202, { id: 'pay_1', _links: { redirect: { href: 'x' } } }, 'declined'],
    ['a bank that takes its time', 202, { id: 'pay_1', _links: {} }, 'unknown'],
    ['a wrong card number', 422, { error_codes: ['card_number_invalid'] }, 'declined'],
    [
      'a card that the relay cannot decrypt (X2)',
      422,
      { code: 'decryption-failed', status: 422 },
      'declined',
    ],
    ['an undocumented fault', 422, { error_codes: ['who_knows'] }, 'unknown'],
    ['a wrong key', 401, {}, 'retryable'],
    ['a limit', 429, {}, 'retryable'],
    ['a broken gateway', 500, {}, 'unknown'],
    ['a status from the future', 299, {}, 'unknown'],
  ] as const)('a payment response of gateway_b: %s (%s)', (_what, status, body, kind) =>
    expect(mapAuthorisationReply({ status, body }).kind).toBe(kind),
  );

  it('a payer who can return is sent to the bank’s page, if a browser may open it (Q51)', () => {
    const asked = (href: unknown) =>
      mapAuthorisationReply({ status: 202, body: { id: 'pay_1', _links: { redirect: { href } } } }, true);
    expect(asked('https://bank.example/3ds')).toEqual({
      kind: 'authenticating',
      pspReference: 'pay_1',
      challengeUrl: 'https://bank.example/3ds',
    });
    for (const href of ['javascript:alert(1)', 'x', 5, null]) expect(asked(href).kind).toBe('unknown');
  });

  it('an approval without an amount is unreadable, and so the caller treats it as unknown', () => {
    const { amount: _none, ...body } = approved;
    expect(() => mapAuthorisationReply({ status: 201, body })).toThrow(SyntaxError);
  });
});

describe('other answers of gateway_b', () => {
  it.each([
    [202, 'accepted'],
    [403, 'conflict'],
    [404, 'conflict'],
    [429, 'retryable'],
    [502, 'unknown'],
  ] as const)('a step answered by gateway_b with %s is %s', (status, kind) =>
    expect(mapStepReply({ status, body: {} }).kind).toBe(kind),
  );

  it.each([
    [404, 'absent'],
    [429, 'retryable'],
    [403, 'unknown'],
    [500, 'unknown'],
  ] as const)('a query answered by gateway_b with %s is %s', (status, kind) =>
    expect(mapFailedQuery({ status, body: {} }).kind).toBe(kind),
  );

  it('a refused key is marked, so that a newer one may be used', () => {
    expect(mapStepReply({ status: 401, body: {} })).toMatchObject({ kind: 'retryable', isKeyRefused: true });
    expect(mapFailedQuery({ status: 401, body: {} })).toMatchObject({ kind: 'unknown', isKeyRefused: true });
  });

  it('only a request that was never sent counts as without effect', () => {
    const failed = (code: string) => Object.assign(new Error('x'), { code });
    expect(mapTransportError(failed('ECONNREFUSED')).kind).toBe('retryable');
    expect(mapTransportError(new TypeError('fetch failed', { cause: failed('ECONNREFUSED') })).kind).toBe(
      'retryable',
    );
    expect(mapTransportError(new Error('Proxy response (407) !== 200 when HTTP Tunneling')).kind).toBe(
      'retryable',
    );
    for (const code of ['ECONNRESET', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'ETIMEDOUT'])
      expect(mapTransportError(failed(code)).kind).toBe('unknown');
    expect(mapTransportError(new SyntaxError('bad JSON')).kind).toBe('unknown');
  });
});
