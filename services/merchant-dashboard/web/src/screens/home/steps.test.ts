import { expect, it } from '@jest/globals';
import { listSteps } from './steps.ts';

const nothing = { active_gateway: null, has_key: false, has_webhook: false, has_group_payment: false };
const done = (setup: Parameters<typeof listSteps>[0], mode: 'test' | 'live' = 'test') =>
  listSteps(setup, mode).map(({ isDone }) => isDone);

it('the first steps tick exactly what is done, in whatever order', () => {
  expect(done(nothing)).toEqual([false, false, false, false]);
  expect(done({ ...nothing, has_webhook: true })).toEqual([false, false, false, true]);
  expect(
    done({ active_gateway: 'gateway_a', has_key: true, has_webhook: true, has_group_payment: true }),
  ).toEqual([true, true, true, true]);
});

it('the first steps in test mode lead to a payment before they ask for code, those in live mode after it', () => {
  const listPaths = (mode: 'test' | 'live') => listSteps(nothing, mode).map(({ path }) => path);
  expect(listPaths('test')).toEqual(['gateways', 'group-payments/new', 'keys', 'webhooks']);
  expect(listPaths('live')).toEqual(['gateways', 'keys', 'webhooks', 'quick-start']);
});

it('the last of the first steps in live mode leads to code, and names the way without it (K15)', () => {
  const last = listSteps(nothing, 'live').at(-1);
  expect(last).toMatchObject({ path: 'quick-start', why: expect.stringContaining('by hand') });
});

it('each of the first steps names the permission that its action needs', () => {
  const listNeeds = (mode: 'test' | 'live') => listSteps(nothing, mode).map(({ permission }) => permission);
  expect(listNeeds('test')).toEqual(['gateways.manage', 'test.manage', 'keys.manage', 'webhooks.manage']);
  expect(listNeeds('live')).toEqual(['live_gateways.manage', 'live_keys.manage', 'webhooks.manage', 'read']);
});
