import { describe, expect, it } from '@jest/globals';
import {
  AppError,
  errorCodes,
  fromWire,
  notFound,
  toWire,
  validationError,
  type WireError,
} from './index.ts';

describe('AppError', () => {
  it('an AppError has the text of the catalogue unless it is given a public one, and keeps its cause', () => {
    const cause = new Error('socket hang up');
    const error = new AppError('card_declined', {}, { cause });
    expect(error).toMatchObject({ code: 'card_declined', message: 'the card was declined', cause });
    expect(new AppError('card_declined', { message: 'expired card' }).message).toBe('expired card');
  });

  it('an AppError for invalid input has the documented text and names the field', () => {
    const error = validationError('total_amount', 'must be at least 0.01');
    expect(error.message).toBe('Validation error: total_amount: must be at least 0.01');
    expect(error.data).toMatchObject({
      param: 'total_amount',
      details: [{ param: 'total_amount', reason: 'must be at least 0.01' }],
    });
  });

  it('an AppError for an absent group payment has the documented text', () => {
    expect(notFound('group payment')).toMatchObject({
      code: 'not_found',
      message: 'group payment not found',
    });
  });
});

describe('errors on the bus', () => {
  it('errors on the bus arrive with the code, the data and the message they left with', () => {
    const sent = new AppError('no_payable_slots', {
      message: 'taken',
      details: [{ param: 'slot_ids', reason: 'is not free', slot_id: 's1' }],
      retryAfterSeconds: 3,
    });
    const received = fromWire(JSON.parse(JSON.stringify(toWire(sent))) as WireError);
    expect(received).toBeInstanceOf(AppError);
    expect(received).toMatchObject({ code: sent.code, data: sent.data, message: sent.message });
  });

  it('errors on the bus round-trip for every code', () => {
    expect(errorCodes.map((code) => fromWire(toWire(new AppError(code))).code)).toEqual(errorCodes);
  });

  it.each([new Error('password=hunter2'), 'text', null, undefined, { code: 'card_declined' }])(
    'errors on the bus report %p only as an internal error',
    (thrown) => {
      expect(toWire(thrown)).toEqual({ code: 'internal_error', data: {} });
    },
  );

  it('errors on the bus keep the cause of an unavailable service in its own process', () => {
    const error = new AppError('service_unavailable', {
      message: 'ECONNREFUSED 10.0.0.7',
      retryAfterSeconds: 2,
    });
    expect(toWire(error)).toEqual({ code: 'service_unavailable', data: { retryAfterSeconds: 2 } });
  });

  it.each([{ code: 'from_a_newer_version', data: {} }, { code: '__proto__' }, {}])(
    'errors on the bus become an internal error when %p is not understood',
    (wire) => {
      expect(fromWire(wire as unknown as WireError).code).toBe('internal_error');
    },
  );

  it('errors on the bus accept data that is no object', () => {
    expect(fromWire({ code: 'conflict', data: null } as unknown as WireError).data).toEqual({});
    expect(fromWire({ code: 'conflict', data: [1] } as unknown as WireError).data).toEqual({});
  });
});
