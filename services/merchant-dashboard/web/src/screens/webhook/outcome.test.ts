import { expect, it } from '@jest/globals';
import { describeOutcome } from './outcome.ts';

it.each([
  [{ outcome: 'acknowledged', http_status: 204, error_class: null }, 'good', '204 acknowledged'],
  [{ outcome: 'status_5xx', http_status: 503, error_class: null }, 'bad', 'answered 503'],
  [{ outcome: 'redirect', http_status: 302, error_class: null }, 'bad', '302 redirects are not followed'],
  [{ outcome: 'dns', http_status: null, error_class: 'dns' }, 'bad', 'name not found'],
  [{ outcome: 'new', http_status: null, error_class: 'of_a_newer_version' }, 'bad', 'of_a_newer_version'],
] as const)('an attempt %j is shown in words', (attempt, tone, words) => {
  expect(describeOutcome(attempt)).toEqual({ tone, words });
});
