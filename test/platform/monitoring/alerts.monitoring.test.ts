import { expect, it } from '@jest/globals';
import { cases } from './alerts/cases.ts';
import { faultsOfAlert, faultsOfRules } from './alerts/promtool.ts';

it('Prometheus accepts the alert rules', async () => {
  expect(await faultsOfRules()).toBe('');
});

it.each(Object.entries(cases))(
  '%s fires on its condition, and stays quiet on conditions that only resemble it',
  async (alert, both) => expect(await faultsOfAlert(alert, both)).toBe(''),
);

it('the check finds an alert whose tests do not hold', async () => {
  for (const [alert, { fires, quiet }] of Object.entries(cases).slice(0, 2))
    expect(await faultsOfAlert(alert, { fires: quiet, quiet: fires })).toMatch(/FAILED/);
});
