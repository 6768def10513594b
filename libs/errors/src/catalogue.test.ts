import { describe, expect, it } from '@jest/globals';
import { catalogue, documentedTexts, errorCodes, isErrorCode } from './index.ts';

const published = [400, 401, 404, 409, 422, 500, 502];
// A 403 is a valid credential that may not do what it asks for.
const transport = [403, 405, 408, 413, 414, 415, 429, 431, 503];

describe('the catalogue', () => {
  it('the catalogue uses only the statuses the API publishes, and those of the transport', () => {
    const statuses = new Set(errorCodes.map((code) => catalogue[code].status));
    expect([...statuses].filter((status) => ![...published, ...transport].includes(status))).toEqual([]);
  });

  it('the catalogue has a public text and its own documentation anchor for every code', () => {
    expect(errorCodes.every((code) => catalogue[code].text.length > 0)).toBe(true);
    expect(new Set(errorCodes.map((code) => catalogue[code].anchor)).size).toBe(errorCodes.length);
  });

  it('the catalogue asks for a pause only where the same request may succeed later', () => {
    const pausing = errorCodes.filter((code) => catalogue[code].retryAfterSeconds !== undefined);
    expect(pausing.filter((code) => !catalogue[code].retryable)).toEqual([]);
    expect(catalogue.service_unavailable.retryAfterSeconds).toBe(1);
  });

  it('the catalogue has the documented sentences word for word', () => {
    expect(documentedTexts).toEqual({
      expiryInPast: 'expiry must be in the future',
      expiryTooFar: 'expiry cannot be more than 7 days in the future',
      slotSumMismatch: 'sum of slot amounts must equal total amount',
      duplicateMerchantOrderId: 'a group payment with this merchant_order_id already exists',
      groupPaymentNotFound: 'group payment not found',
      noActiveGateway: 'merchant has no active payment gateway',
    });
  });

  it('the catalogue cannot be changed by an importer', () => {
    expect(Object.isFrozen(catalogue)).toBe(true);
    expect(errorCodes.every((code) => Object.isFrozen(catalogue[code]))).toBe(true);
  });

  it.each(['constructor', '__proto__', 'toString', '', 'nope', 7, null])(
    'the catalogue refuses %p as a code',
    (word) => {
      expect(isErrorCode(word)).toBe(false);
    },
  );
});
