import { quantiles, rate, series, type Board } from './panel.ts';

const runbook = 'services/webhook-dispatcher/README.md';

export const webhooks: Board = {
  file: 'webhooks',
  title: 'Webhooks',
  about: 'Whether merchants receive their events, and which of their servers do not answer.',
  rows: [
    {
      title: 'Backlog',
      panels: [
        {
          title: 'Due now',
          about:
            'Deliveries that could be sent and are not: what replicas are counted by. Endpoints that fail are in it.',
          unit: 'none',
          shown: 'number',
          width: 6,
          bad: 10_000,
          queries: [[`max(${series('gp_webhook_due_deliveries')})`, 'due']],
          runbook: `${runbook}#deliveries-are-late`,
        },
        {
          title: 'Oldest due',
          about: 'How long the delivery has waited that is due for longest.',
          unit: 's',
          shown: 'number',
          width: 6,
          bad: 300,
          queries: [[`max(${series('gp_webhook_oldest_due_seconds')})`, 'oldest']],
          runbook: `${runbook}#deliveries-are-late`,
        },
        {
          title: 'Acknowledged',
          about: 'Share of attempts that were answered with 2xx.',
          unit: 'percentunit',
          shown: 'number',
          width: 6,
          queries: [
            [
              `sum(${rate('gp_webhook_attempts_total', 'outcome="acknowledged"')}) / sum(${rate('gp_webhook_attempts_total')})`,
              'acknowledged',
            ],
          ],
        },
        {
          title: 'Replicas',
          about: 'Dispatchers that say something.',
          unit: 'none',
          shown: 'number',
          width: 6,
          queries: [
            [`count(${series('process_start_time_seconds', 'service="webhook-dispatcher"')})`, 'replicas'],
          ],
        },
        {
          title: 'How full the pools are',
          about:
            'Share of the requests that replicas may have under way: near 1 they are what limits, and another one sends more.',
          unit: 'percentunit',
          queries: [
            [`avg(${series('gp_webhook_pool_used_ratio')})`, 'average'],
            [`max(${series('gp_webhook_pool_used_ratio')})`, 'fullest'],
          ],
          runbook: `${runbook}#deliveries-are-late`,
        },
        {
          title: 'Due over time',
          about:
            'Rising while attempts stand still means too few replicas; rising with open lanes means a merchant’s server is down.',
          unit: 'none',
          queries: [[`max(${series('gp_webhook_due_deliveries')})`, 'due']],
          runbook: `${runbook}#deliveries-are-late`,
        },
      ],
    },
    {
      title: 'Attempts',
      panels: [
        {
          title: 'Attempts by outcome',
          about: 'Answers of merchants’ servers, or the reason why there was none.',
          unit: 'cps',
          queries: [[`sum by (outcome) (${rate('gp_webhook_attempts_total')})`, '{{outcome}}']],
        },
        {
          title: 'Time of an attempt',
          about: 'Until the end of the answer.',
          unit: 's',
          queries: quantiles('gp_webhook_attempt_duration_seconds'),
          spans: 'name = "webhook attempt"',
        },
        {
          title: 'Claims lost',
          about:
            'Attempts whose record came too late: the event is sent once more, which receivers must bear.',
          unit: 'cps',
          queries: [[`sum(${rate('gp_webhook_lost_claims_total')})`, 'lost']],
          runbook: `${runbook}#events-are-sent-twice`,
        },
      ],
    },
    {
      title: 'Lanes',
      panels: [
        {
          title: 'Endpoints by state',
          about: 'Every endpoint has a lane of its own; an open one failed five times in a row and rests.',
          unit: 'none',
          queries: [[`sum by (state) (${series('gp_webhook_lanes')})`, '{{state}}']],
        },
        {
          title: 'Due by endpoint, the ten fullest',
          about: 'Whose deliveries wait.',
          unit: 'none',
          queries: [
            [
              `topk(10, max by (endpoint_id) (${series('gp_webhook_lane_due_deliveries')}))`,
              '{{endpoint_id}}',
            ],
          ],
          runbook: `${runbook}#one-merchants-server-is-down`,
        },
        {
          title: 'Under way by endpoint, the ten fullest',
          about: 'Who answers slowly.',
          unit: 'none',
          queries: [
            [
              `topk(10, sum by (endpoint_id) (${series('gp_webhook_lane_in_flight_deliveries')}))`,
              '{{endpoint_id}}',
            ],
          ],
          runbook: `${runbook}#one-merchants-server-is-down`,
        },
      ],
    },
  ],
};
