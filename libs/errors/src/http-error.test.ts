import { describe, expect, it } from '@jest/globals';
import { AppError, catalogue, errorCodes, toHttp, validationError } from './index.ts';

describe('errors over HTTP', () => {
  it('errors over HTTP have the documented body and our additions', () => {
    const error = validationError('currency', 'must be an active currency');
    expect(toHttp(error, 'req_1')).toEqual({
      status: 400,
      headers: {},
      body: {
        error: 'Bad Request',
        message: 'Validation error: currency: must be an active currency',
        version: '1.0.0',
        code: 'validation_error',
        request_id: 'req_1',
        param: 'currency',
        details: [{ param: 'currency', reason: 'must be an active currency' }],
      },
    });
  });

  it('an error over HTTP links to the explanation of its code, and has a hint where the thrower gives one (Q33)', () => {
    const error = new AppError('validation_error', {
      hint: 'the clock is ahead',
    });
    expect(toHttp(error, 'req_1', 'https://api.example/docs').body).toMatchObject({
      hint: 'the clock is ahead',
      doc_url: 'https://api.example/docs#error-validation_error',
    });
    expect(toHttp(error, 'req_1').body).not.toHaveProperty('doc_url');
  });

  it('an error over HTTP has the hint of the catalogue where the thrower gives none (Q33)', () => {
    const { hint } = catalogue.idempotency_key_reused;
    expect(toHttp(new AppError('idempotency_key_reused'), 'req_1').body.hint).toBe(hint);
    const own = new AppError('idempotency_key_reused', { hint: 'its own' });
    expect(toHttp(own, 'req_1').body.hint).toBe('its own');
    expect(toHttp(new AppError('card_declined'), 'req_1').body).not.toHaveProperty('hint');
  });

  it.each(['invalid_slot_ids', 'slots_not_captured'] as const)(
    'an error %s names the field slot_ids (Q33)',
    (code) => {
      const { body } = toHttp(new AppError(code), 'req_1');
      expect([body.param, body.message]).toEqual(['slot_ids', catalogue[code].text]);
    },
  );

  it.each([new TypeError('x is undefined at /srv/app.ts:7'), 'secret', null])(
    'a 500 discloses nothing of %p',
    (thrown) => {
      const { status, body } = toHttp(thrown, 'req_1');
      expect(status).toBe(500);
      expect(body).toEqual({
        error: 'Internal Server Error',
        message: 'something went wrong on our side',
        version: '1.0.0',
        code: 'internal_error',
        request_id: 'req_1',
      });
    },
  );

  it('an opaque error hides even a message that was given to it', () => {
    const details = [{ param: 'id', reason: 'sql' }];
    const error = new AppError('internal_error', { message: 'row 7 is gone', param: 'id', details });
    expect(JSON.stringify(toHttp(error, 'req_1'))).not.toMatch(/row 7|sql|param/);
  });

  it('no body carries the cause or private data', () => {
    const error = new AppError('card_declined', { pan: '4242' }, { cause: new Error('deep') });
    expect(JSON.stringify(toHttp(error, 'req_1'))).not.toMatch(/4242|deep/);
  });

  it.each([
    ['service_unavailable', {}, '1'],
    ['service_unavailable', { retryAfterSeconds: 7 }, '7'],
    ['outcome_unknown', {}, '5'],
    ['idempotency_key_in_use', {}, '1'],
    ['rate_limited', { retryAfterSeconds: 0.2 }, '1'],
    ['rate_limited', { retryAfterSeconds: -3 }, '0'],
  ] as const)('an error %s with %p asks to come back after %s seconds', (code, data, expected) => {
    expect(toHttp(new AppError(code, data), 'req_1').headers['Retry-After']).toBe(expected);
  });

  it('every 503 and 429 has a Retry-After', () => {
    const silent = errorCodes
      .map((code) => toHttp(new AppError(code), 'req_1'))
      .filter(({ status, headers }) => [429, 503].includes(status) && headers['Retry-After'] === undefined);
    expect(silent).toEqual([]);
  });

  it('a 405 lists the allowed methods and a 401 challenges', () => {
    const notAllowed = new AppError('method_not_allowed', { allow: ['GET', 'HEAD'] });
    expect(toHttp(notAllowed, 'req_1').headers).toEqual({ Allow: 'GET, HEAD' });
    expect(toHttp(new AppError('unauthorized'), 'req_1').headers).toEqual({ 'WWW-Authenticate': 'Bearer' });
    expect(toHttp(new AppError('insufficient_scope'), 'req_1').headers).toEqual({
      'WWW-Authenticate': 'Bearer error="insufficient_scope"',
    });
  });
});
