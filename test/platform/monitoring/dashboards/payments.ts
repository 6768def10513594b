import { quantiles, rate, series, type Board, type Panel } from './panel.ts';

const runbook = 'services/group-ledger/README.md';

/** A number that is nought on every good day. */
function drift(what: string, title: string, about: string, anchor: string): Panel {
  return {
    title,
    about,
    unit: 'none',
    shown: 'number',
    width: 6,
    bad: 1,
    queries: [[`max by (mode) (${series(`gp_drift_${what}_payments`)})`, '{{mode}}']],
    runbook: `${runbook}#${anchor}`,
  };
}

export const payments: Board = {
  file: 'payments',
  title: 'Payments',
  about:
    'Money: whether ledger and gateways still say the same, what groups and payments do, and what waits for a person.',
  rows: [
    {
      title: 'Drift',
      panels: [
        drift(
          'holds_without_group',
          'Holds without a group',
          'Cards that are held for a bill that ended, or for a try that was replaced, a minute after their release was ordered.',
          'holds-without-a-group',
        ),
        drift(
          'voids_unconfirmed',
          'Voids unconfirmed for an hour',
          'Releases that the gateway has not confirmed an hour after they were ordered: payers see the hold on their cards.',
          'voids-unconfirmed',
        ),
        drift(
          'books_differ',
          'Ledger and gateway differ',
          'Payments of which the gateway’s books say something else than the ledger, three looks long.',
          'ledger-and-gateway-differ',
        ),
        {
          title: 'Unknown outcomes',
          about:
            'Payments whose last call ended without an answer. They are asked about until it is known; nothing is sent again before.',
          unit: 'none',
          shown: 'number',
          width: 6,
          bad: 1,
          queries: [
            [
              `sum by (mode) (max by (mode, psp_code, operation) (${series('gp_unknown_outcome_payments')}))`,
              '{{mode}}',
            ],
          ],
          runbook: `${runbook}#unknown-outcomes`,
        },
      ],
    },
    {
      title: 'Groups',
      panels: [
        {
          title: 'Groups that are not finished',
          about:
            'By state. A growing capturing or refunding is a gateway that does not answer. Of each state 100,000 groups are read at most, in test mode and in live mode.',
          countsUpTo: 100_000,
          unit: 'short',
          queries: [
            [`sum by (state) (max by (mode, state) (${series('gp_unfinished_groups')}))`, '{{state}}'],
          ],
        },
        {
          title: 'Groups entering a state',
          about: 'How many groups become open, paid, expired … a second.',
          unit: 'cps',
          queries: [[`sum by (state) (${rate('gp_group_transitions_total')})`, '{{state}}']],
        },
        {
          title: 'From the last hold to the capture',
          about:
            'Captures are ordered in the commit of the hold that completes a group; this is the time until the gateway confirmed each.',
          unit: 's',
          queries: quantiles('gp_hold_to_capture_seconds'),
          runbook: `${runbook}#captures-are-slow`,
        },
      ],
    },
    {
      title: 'Payments',
      panels: [
        {
          title: 'Payments entering a state',
          about: 'By gateway; retries of a payer are payments of their own.',
          unit: 'cps',
          queries: [
            [
              `sum by (psp_code, state) (${rate('gp_payment_transitions_total')}) > 0`,
              '{{psp_code}} {{state}}',
            ],
          ],
        },
        {
          title: 'Holds of all tries that ended',
          about: 'Share of payments that were held rather than declined or failed, by gateway.',
          unit: 'percentunit',
          queries: [
            [
              `sum by (psp_code) (${rate('gp_payment_transitions_total', 'state="preauthorised"')}) / ` +
                `sum by (psp_code) (${rate('gp_payment_transitions_total', 'state=~"preauthorised|failed"')})`,
              '{{psp_code}}',
            ],
          ],
        },
        {
          title: 'Refunds by their answer',
          about: 'The answer to the merchant: everything refunded, part of it, or nothing.',
          unit: 'cps',
          queries: [[`sum by (outcome) (${rate('gp_refund_answers_total')})`, '{{outcome}}']],
        },
        {
          title: 'Payments compared with the gateways',
          about: 'Daily and on demand; what differs is looked at twice more before it counts as drift.',
          unit: 'cps',
          queries: [[`sum by (verdict) (${rate('gp_reconciliation_payments_total')})`, '{{verdict}}']],
        },
      ],
    },
    {
      title: 'For a person',
      panels: [
        {
          title: 'Open tasks',
          about: 'Matters that only a person can end, by what they are about.',
          unit: 'none',
          queries: [
            [`sum by (code) (max by (service, code) (${series('gp_operator_tasks_open')}))`, '{{code}}'],
          ],
          runbook: 'services/operator/README.md#tasks-wait-for-a-person',
        },
        {
          title: 'Oldest timer that is overdue',
          about:
            'Expiries, reservations and retries fire from here; seconds mean that the scheduler does not keep up.',
          unit: 's',
          queries: [[`max(${series('gp_scheduler_overdue_oldest_seconds')})`, 'overdue']],
          runbook: 'services/scheduler/README.md#timers-are-late',
        },
      ],
    },
  ],
};
