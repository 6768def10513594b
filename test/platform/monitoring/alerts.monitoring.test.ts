import { expect, it } from '@jest/globals';
import { cases, missedObjectives } from './alerts/cases.ts';
import { faultsOfAlert, faultsOfObjective, faultsOfRules } from './alerts/promtool.ts';
import { objectives } from './objectives.ts';

it('Prometheus accepts the alert rules', async () => {
  expect(await faultsOfRules()).toBe('');
});

it.each(Object.entries(cases))(
  '%s fires on its condition, and stays quiet on conditions that only resemble it',
  async (alert, both) => expect(await faultsOfAlert(alert, both)).toBe(''),
);

it.each(objectives)(
  'the budget of $name burns fast when its goal is missed, and no other does',
  async ({ name }) => {
    const series = missedObjectives[name];
    if (!series) throw new Error(`missedObjectives has no series for ${name}`);
    expect(await faultsOfObjective(name, series)).toBe('');
  },
);

it('the check finds an alert whose tests do not hold', async () => {
  for (const [alert, { fires, quiet }] of Object.entries(cases).slice(0, 2))
    expect(await faultsOfAlert(alert, { fires: quiet, quiet: fires })).toMatch(/FAILED/);
});
