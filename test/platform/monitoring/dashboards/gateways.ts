import { label, quantile, quantiles, rate, series, type Board } from './panel.ts';

const chosen = 'psp_code=~"$gateway"';
const calls = 'gp_gateway_call_duration_seconds';
const runbook = 'libs/gateway/README.md';

export const gateways: Board = {
  file: 'gateways',
  title: 'Gateways',
  about: 'Answers of the payment gateways, how long they take, and callbacks.',
  variables: { gateway: { label: 'psp_code', of: 'gp_gateway_breaker_state' } },
  rows: [
    {
      title: 'Health',
      panels: [
        {
          title: 'Breakers',
          about:
            'Open: the gateway gave no usable answer to more than half of the calls, and gets no calls for a while.',
          unit: 'none',
          shown: 'states',
          width: 12,
          words: {
            '0': { text: 'closed', color: 'green' },
            '1': { text: 'half open', color: 'yellow' },
            '2': { text: 'open', color: 'red' },
          },
          queries: [
            [
              `max by (psp_code, operation, mode) (${series('gp_gateway_breaker_state', chosen)})`,
              '{{psp_code}} {{operation}} {{mode}}',
            ],
          ],
          runbook: `${runbook}#a-gateway-does-not-answer`,
        },
        {
          title: 'Calls without a usable answer',
          about: 'Share of calls whose outcome is unknown: timeouts, broken connections, 5xx.',
          unit: 'percentunit',
          width: 12,
          queries: [
            [
              `sum by (psp_code) (${rate(`${calls}_count`, chosen, 'outcome="unknown"')}) / ` +
                `sum by (psp_code) (${rate(`${calls}_count`, chosen)})`,
              '{{psp_code}}',
            ],
          ],
          runbook: `${runbook}#a-gateway-does-not-answer`,
        },
      ],
    },
    {
      title: 'Calls',
      panels: [
        {
          title: 'Calls by operation',
          about: 'Calls a second.',
          unit: 'cps',
          queries: [
            [
              `sum by (psp_code, operation) (${rate(`${calls}_count`, chosen)})`,
              '{{psp_code}} {{operation}}',
            ],
          ],
        },
        {
          title: 'Calls by kind of answer',
          about:
            'A decline is an answer like any other; retryable means that the gateway wants to be left alone for a while.',
          unit: 'cps',
          queries: [
            [`sum by (psp_code, outcome) (${rate(`${calls}_count`, chosen)})`, '{{psp_code}} {{outcome}}'],
          ],
        },
        {
          title: 'Latency of all calls',
          about: 'Time until the answer was read.',
          unit: 's',
          queries: quantiles(calls, chosen),
          // Other spans of a payment have the gateway's code, too; those of calls begin with it.
          spans: 'span.gp.psp_code =~ "${gateway:regex}" && name =~ "gateway_[a-z]+ [a-z]+"',
        },
        {
          title: 'Latency by operation, p95',
          about: 'Which operation of which gateway is slow.',
          unit: 's',
          queries: [[quantile(0.95, calls, ['psp_code', 'operation'], chosen), '{{psp_code}} {{operation}}']],
          spans: `name = "${label('psp_code')} ${label('operation')}"`,
        },
        {
          title: 'Payments whose outcome is unknown',
          about: 'As the ledger has it, by what was asked of the gateway.',
          unit: 'none',
          queries: [
            [
              `max by (psp_code, operation) (${series('gp_unknown_outcome_payments', chosen)})`,
              '{{psp_code}} {{operation}}',
            ],
          ],
          runbook: 'services/group-ledger/README.md#unknown-outcomes',
        },
        {
          title: 'Orders that wait',
          about: 'Captures, voids, refunds and queries that wait for their turn or are in hand.',
          unit: 'none',
          queries: [
            [
              `max by (psp_code, operation) (${series('gp_gateway_waiting_orders', chosen)})`,
              '{{psp_code}} {{operation}}',
            ],
          ],
          runbook: 'libs/gateway/README.md#orders-wait',
        },
      ],
    },
    {
      title: 'Callbacks',
      panels: [
        {
          title: 'Callbacks by what became of them',
          about: 'Stored ones are applied by reading the payment; forged ones failed their signature.',
          unit: 'cps',
          queries: [
            [
              `sum by (psp_code, outcome) (${rate('gp_gateway_callbacks_total', chosen)})`,
              '{{psp_code}} {{outcome}}',
            ],
          ],
          runbook: `${runbook}#callbacks-are-refused`,
        },
        {
          title: 'Contradictions and unmatched callbacks',
          about:
            'Holds of another amount than the requested one, and genuine callbacks about payments that are not ours, in an hour.',
          unit: 'none',
          queries: [
            [
              `sum by (psp_code) (increase(${series('gp_gateway_contradictions_total', chosen)}[1h]))`,
              '{{psp_code}} contradictions',
            ],
            [
              `sum by (psp_code) (increase(${series('gp_gateway_unmatched_callbacks_total', chosen)}[1h]))`,
              '{{psp_code}} unmatched',
            ],
          ],
          runbook: `${runbook}#a-gateway-holds-another-amount`,
        },
      ],
    },
  ],
};
