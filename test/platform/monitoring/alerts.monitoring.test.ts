import { expect, it } from '@jest/globals';
import { cases } from './alerts/cases.ts';
import { faultsOfAlert, faultsOfRules } from './alerts/promtool.ts';

it('the rules are what Prometheus takes for rules', async () => {
  expect(await faultsOfRules()).toBe('');
});

it.each(Object.entries(cases))(
  '%s fires on what it is there for, and stays quiet on what only looks like it',
  async (alert, both) => expect(await faultsOfAlert(alert, both)).toBe(''),
);

it('what does not do so is found', async () => {
  for (const [alert, { fires, quiet }] of Object.entries(cases).slice(0, 2))
    expect(await faultsOfAlert(alert, { fires: quiet, quiet: fires })).toMatch(/FAILED/);
});
