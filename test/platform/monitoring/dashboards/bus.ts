import { label, quantile, rate, series, type Board } from './panel.ts';

const chosen = 'service=~"$service"';
const runbook = 'services/operator/README.md';

export const bus: Board = {
  file: 'bus-and-outbox',
  title: 'Bus and outbox',
  about:
    'Messages: those waiting to be published, those waiting to be received, those given up, and the state of their handlers.',
  variables: { service: { label: 'service', of: 'gp_bus_messages_total' } },
  rows: [
    {
      title: 'On the way out',
      panels: [
        {
          title: 'Outbox backlog',
          about: 'Messages that are committed and not published yet.',
          unit: 'none',
          queries: [[`max by (service) (${series('gp_outbox_backlog_messages', chosen)})`, '{{service}}']],
          runbook: `${runbook}#an-outbox-does-not-drain`,
        },
        {
          title: 'Oldest in the outbox',
          about: 'How long the first of them has waited; a second is long.',
          unit: 's',
          queries: [[`max by (service) (${series('gp_outbox_oldest_age_seconds', chosen)})`, '{{service}}']],
          runbook: `${runbook}#an-outbox-does-not-drain`,
        },
        {
          title: 'Published',
          about: 'Messages a second; one replica of a service leads.',
          unit: 'cps',
          queries: [[`sum by (service) (${rate('gp_outbox_published_total', chosen)})`, '{{service}}']],
        },
      ],
    },
    {
      title: 'On the way in',
      panels: [
        {
          title: 'Consumer lag',
          about: 'Messages that each durable consumer has not acknowledged.',
          unit: 'none',
          queries: [[`max by (durable) (${series('gp_bus_consumer_lag_messages', chosen)})`, '{{durable}}']],
          runbook: `${runbook}#a-consumer-is-behind`,
        },
        {
          title: 'Redeliveries and duplicates',
          about:
            'Messages that came again: because a handler failed or a replica went, and those dropped by an inbox.',
          unit: 'cps',
          queries: [
            [`sum by (durable) (${rate('gp_bus_redeliveries_total', chosen)})`, '{{durable}} redelivered'],
            [`sum by (consumer) (${rate('gp_inbox_duplicates_total', chosen)})`, '{{consumer}} duplicates'],
          ],
        },
        {
          title: 'Given up in an hour',
          about: 'Messages that died after ten tries; each is kept and is a task.',
          unit: 'none',
          queries: [
            [
              `sum by (durable) (increase(${series('gp_bus_dead_letters_total', chosen)}[1h]))`,
              '{{durable}}',
            ],
          ],
          runbook: `${runbook}#messages-were-given-up`,
        },
        {
          title: 'Dead letters that wait',
          about: 'To be sent again, or closed, by a person.',
          unit: 'none',
          queries: [
            [
              `max by (service) (${series('gp_operator_tasks_open', chosen, 'code="dead_letter"')})`,
              '{{service}}',
            ],
          ],
          runbook: `${runbook}#messages-were-given-up`,
        },
      ],
    },
    {
      title: 'Handlers',
      panels: [
        {
          title: 'Messages handled',
          about: 'By service and way: questions, batches of them, messages of a stream.',
          unit: 'cps',
          queries: [
            [`sum by (service, way) (${rate('gp_bus_messages_total', chosen)})`, '{{service}} {{way}}'],
          ],
        },
        {
          title: 'Refused and failed',
          about:
            'By subject and code: a code of the catalogue is an answer, anything else is a fault of ours.',
          unit: 'cps',
          queries: [
            [
              `topk(15, sum by (subject, outcome) (${rate('gp_bus_messages_total', chosen, 'outcome!="ok"')}))`,
              '{{subject}} {{outcome}}',
            ],
          ],
        },
        {
          title: 'Slowest handlers, p99',
          about: 'The ten subjects that take longest.',
          unit: 's',
          queries: [
            [
              `topk(10, ${quantile(0.99, 'gp_bus_handling_duration_seconds', ['subject'], chosen)})`,
              '{{subject}}',
            ],
          ],
          spans: `(kind = server && name = "${label('subject')}" || name = "process ${label('subject')}")`,
        },
      ],
    },
    {
      title: 'Loops and timers',
      panels: [
        {
          title: 'Loops that fail',
          about: 'Passes of background loops that ended with an error; they go on by themselves.',
          unit: 'cps',
          queries: [
            [`sum by (service, loop) (${rate('gp_loop_failures_total', chosen)})`, '{{service}} {{loop}}'],
          ],
          runbook: `${runbook}#a-loop-fails`,
        },
        {
          title: 'Oldest timer that is overdue',
          about: 'Expiries, reservations and retries fire from here.',
          unit: 's',
          queries: [[`max(${series('gp_scheduler_overdue_oldest_seconds')})`, 'overdue']],
          runbook: 'services/scheduler/README.md#timers-are-late',
        },
      ],
    },
  ],
};
