import { expect, it } from '@jest/globals';
import { listSteps } from './steps.ts';

const nothing = { active_gateway: null, has_key: false, has_webhook: false, has_group_payment: false };
const done = (setup: Parameters<typeof listSteps>[0], mode: 'test' | 'live' = 'test') =>
  listSteps(setup, mode).map(({ isDone }) => isDone);

it('the first steps tick exactly what is done, in whatever order', () => {
  expect(done(nothing)).toEqual([false, false, false, false]);
  expect(done({ ...nothing, has_webhook: true })).toEqual([false, false, true, false]);
  expect(
    done({ active_gateway: 'gateway_a', has_key: true, has_webhook: true, has_group_payment: true }),
  ).toEqual([true, true, true, true]);
});

it('the first steps never offer a live payment from the dashboard', () => {
  expect(listSteps(nothing, 'live').map(({ path }) => path)).not.toContain('group-payments/new');
});
