import { describe, expect, it } from '@jest/globals';
import { explain } from './explain.ts';
import { ApiFailure, isPassing, isSignedOut, NoAnswer } from './failure.ts';

const failure = (status: number, code: string, message = 'it failed') =>
  new ApiFailure(status, { message, code, request_id: 'req_1' });

describe('an error on a page', () => {
  it('an error on a page shows what happened, what to do, and the id of the request', () => {
    const explained = explain(failure(400, 'validation_error', 'Validation error: url: must be https'));
    expect(explained.title).toBe('URL: must be https');
    expect(explained.nextStep).toContain('Correct');
    expect(explained.requestId).toBe('req_1');
  });

  it.each([
    ['number_of_slots: must be <= 30', 'Slots: must be <= 30'],
    ['capture_at_expiry.minimum_slots: must be >= 1', 'Minimum to capture when time runs out: must be >= 1'],
    ['slots.1.amount: must be an amount', 'Amount of slot 2: must be an amount'],
    [
      'capture_at_expiry: must be at most total_amount',
      'Minimum to capture when time runs out: must be at most “Total”',
    ],
    ['brand_new.field_name: must be_an amount', 'Brand new field name: must be_an amount'],
    ['constructor: is not a known field', 'Constructor: is not a known field'],
  ])('an error on a page names a field as the form does: %s', (message, title) => {
    expect(explain(failure(400, 'validation_error', `Validation error: ${message}`)).title).toBe(title);
  });

  it.each<[string, Error]>([
    ['no answer', new NoAnswer(new Error('offline'))],
    ['a fault of the page', new TypeError('undefined is not a function')],
    ['a code nobody knows', failure(418, 'teapot')],
    ['an answer that is no JSON', new ApiFailure(502, undefined)],
    ['too many requests', failure(429, 'rate_limited')],
  ])('an error on a page has a next step for %s and shows nothing internal', (_title, error) => {
    const { title, nextStep } = explain(error);
    expect(nextStep).toMatch(/\w+\.$/);
    expect(title).not.toContain('undefined is not');
  });

  it.each([
    'Failed to fetch dynamically imported module: https://pay.example/assets/team.js',
    'error loading dynamically imported module: https://pay.example/assets/team.js',
    'Importing a module script failed.',
    'Unable to preload CSS for /assets/team.css',
  ])('a page whose code could not be loaded says that the server could not be reached: %s', (message) => {
    expect(explain(new TypeError(message))).toEqual(explain(new NoAnswer(0)));
  });

  it('an error on a page ends the session only when the session is over, not when a role does not suffice', () => {
    expect(isSignedOut(failure(401, 'unauthorized'))).toBe(true);
    expect(isSignedOut(failure(403, 'insufficient_scope'))).toBe(false);
  });

  it('an error on a page offers another try only when its outcome may change or is not known', () => {
    expect(
      [failure(503, 'x'), failure(409, 'idempotency_key_in_use'), new NoAnswer(0)].every(isPassing),
    ).toBe(true);
    expect([failure(400, 'x'), failure(409, 'conflict'), new Error('bug')].some(isPassing)).toBe(false);
  });
});
