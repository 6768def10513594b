import { expect, it } from '@jest/globals';
import { compareAlerts, replay } from './alerts.ts';

/** Metrics of ten minutes: a scheduler whose oldest timer is this late. */
const record = (late: string) => ({
  everySeconds: 5,
  looks: 120,
  series: {
    'gp_scheduler_overdue_oldest_seconds{namespace="p",pod="s"}': Array.from({ length: 120 }, () => late),
    ...Object.fromEntries(
      ['api-gateway', 'group-ledger', 'checkout', 'refund', 'gateway-a', 'gateway-b', 'gateway-c']
        .concat('scheduler', 'webhook-dispatcher', 'merchant-dashboard')
        .map((service) => [
          `process_start_time_seconds{namespace="p",pod="${service}",service="${service}"}`,
          Array.from({ length: 120 }, () => '5'),
        ]),
    ),
  },
});

it('the replay of recorded metrics names the alerts that fired, and no other', async () => {
  expect(await replay(record('45'))).toEqual(['GroupPaymentsTimersLate']);
  expect(await replay(record('0'))).toEqual([]);
});

it('an alert that should fire and did not is missing, and one that may not fire is unexpected', () => {
  const alerts = { should: ['one', 'two'], may: ['three'] };
  expect(compareAlerts(alerts, ['two', 'three', 'four'])).toEqual({
    fired: ['two', 'three', 'four'],
    missing: ['one'],
    unexpected: ['four'],
  });
});
