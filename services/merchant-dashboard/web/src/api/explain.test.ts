import { describe, expect, it } from '@jest/globals';
import { explain } from './explain.ts';
import { ApiFailure, isPassing, isSignedOut, NoAnswer } from './failure.ts';

const failure = (status: number, code: string, message = 'it failed') =>
  new ApiFailure(status, { message, code, request_id: 'req_1' });

describe('an error on a page', () => {
  it('an error on a page shows what happened, what to do, and the id of the request', () => {
    const explained = explain(failure(400, 'validation_error', 'Validation error: url: must be https'));
    expect(explained.title).toBe('Url: must be https');
    const named = failure(400, 'validation_error', 'Validation error: total_amount: must be_an amount');
    expect(explain(named).title).toBe('Total amount: must be_an amount');
    expect(explained.nextStep).toContain('Correct');
    expect(explained.requestId).toBe('req_1');
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
