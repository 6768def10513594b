import { describe, expect, it } from '@jest/globals';
import { findDeclineReason } from '@gp/contracts';
import { parseMadridTime } from './madrid-time.ts';
import { ORDER_NUMBER, orderNumber } from './order-number.ts';
import { buildResponseFailure, classifyResponse } from './outcome.ts';
import { deriveTruth, type OperationView } from './truth.ts';

const at = new Date('2026-11-20T12:00:00Z');
const minutes = (n: number): Date => new Date(at.getTime() + n * 60_000);
const days = (n: number): Date => minutes(n * 24 * 60);
const operation = (
  type: string,
  response: string | null,
  more: Partial<OperationView> = {},
): OperationView => ({
  type,
  response,
  state: response === null ? 'S' : 'F',
  amount: 1_500n,
  currency: 'EUR',
  at,
  ...more,
});
const hold = operation('1', '0000');
const deriveTestStatus = (operations: readonly OperationView[], now: Date): string =>
  deriveTruth('1234', operations, now)?.status ?? 'absent';

describe('the state of an order', () => {
  it.each([
    ['nothing', [], 'absent'],
    ['a form that was opened', [operation('1', null)], 'absent'],
    ['a payer at the 3-D Secure page', [operation('1', null, { state: 'A' })], 'authenticating'],
    ['a bank that is asked', [operation('1', null, { state: 'P' })], 'processing'],
    ['a hold', [hold], 'authorised'],
    ['a denial', [operation('1', '0190')], 'declined'],
    ['a denial and then a hold', [operation('1', '0190'), hold], 'authorised'],
    ['an undocumented code', [operation('1', '7777')], 'processing'],
    ['a confirmed hold', [hold, operation('2', '0900')], 'captured'],
    ['a refused confirmation', [hold, operation('2', '0190')], 'authorised'],
    ['a cancelled hold', [hold, operation('9', '0400')], 'voided'],
  ] as const)('an order with %s is %s', (_what, operations, wanted) =>
    expect(deriveTestStatus(operations, minutes(5))).toBe(wanted),
  );

  it('a hold has lapsed after seven days, and not a minute before (C4)', () => {
    expect(deriveTestStatus([hold], days(7))).toBe('authorised');
    expect(deriveTestStatus([hold], new Date(days(7).getTime() + 61_000))).toBe('lapsed');
  });

  it('a payer who left the 3-D Secure page counts as absent once the form has expired (B6)', () =>
    expect(deriveTestStatus([operation('1', null, { state: 'A' })], minutes(32))).toBe('absent'));

  it('the refunds made by hand are added up (E8)', () => {
    const refund = operation('3', '0900', { amount: 500n });
    const truth = deriveTruth('1234', [hold, operation('2', '0900'), refund, refund], minutes(5));
    expect(truth).toMatchObject({ capturedMinor: 1_500n, refundedMinor: 1_000n });
  });
});

describe('Spanish local time', () => {
  it.each([
    ['20/11/2026', '13:00', '2026-11-20T12:00:00.000Z'],
    ['20/07/2026', '13:00', '2026-07-20T11:00:00.000Z'],
    ['01/01/2027', '00:30', '2026-12-31T23:30:00.000Z'],
  ])('the Spanish local time %s %s is %s', (date, hour, instant) =>
    expect(parseMadridTime(date, hour)?.toISOString()).toBe(instant),
  );

  it.each([
    ['2026-11-20', '13:00'],
    ['20/11/2026', '1pm'],
    ['', ''],
  ])('the Spanish local time %p %p is no time', (date, hour) =>
    expect(parseMadridTime(date, hour)).toBeUndefined(),
  );
});

describe('response codes', () => {
  it('an undocumented response code is unknown, neither approved nor declined', () => {
    expect(['0000', '0099'].map(classifyResponse)).toEqual(['approved', 'approved']);
    expect(['0101', '0190', '9915'].map(classifyResponse)).toEqual(['declined', 'declined', 'declined']);
    expect(['9997', '9998', '9999', '0100', '5000', '', '00'].map(classifyResponse)).toEqual(
      Array(7).fill('unknown'),
    );
  });

  it('a failed authentication has its own failure, and a lost or stolen card has not', () => {
    expect(buildResponseFailure('0184').code).toBe('authentication_required');
    expect(buildResponseFailure('0208')).toEqual(buildResponseFailure('0190'));
  });

  it.each([
    ['0116', 'insufficient_funds'],
    ['0101', 'expired_card'],
    ['9064', 'incorrect_number'],
    ['0191', 'incorrect_expiry'],
    ['0129', 'incorrect_cvc'],
    ['0208', null],
    ['0209', null],
    ['0190', null],
  ])('the response %s of gateway_c tells a payer the reason %s', (code, reason) => {
    expect(findDeclineReason(buildResponseFailure(code))).toBe(reason);
  });

  it('a cancellation by the payer is not a declined card', () => {
    expect(buildResponseFailure('9915').code).toBe('cancelled_by_payer');
  });
});

it('order numbers are four digits and eight letters or digits (Q21)', () => {
  for (const share of [0, 0.5, 0.999999]) {
    const number = orderNumber((below) => Math.floor(share * below));
    expect(number).toMatch(ORDER_NUMBER);
    expect(number).toHaveLength(12);
  }
});
