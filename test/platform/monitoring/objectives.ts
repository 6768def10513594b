/** A goal for what merchants and payers notice, kept over 30 days; `budget` is the share that may miss it. */
type Objective = {
  readonly name: string;
  readonly budget: number;
  /** The share that missed the goal, as PromQL by namespace over a window such as `5m`. */
  readonly missed: (window: string) => string;
};

/** Each pair of windows of the alerts: the longer one shows that it matters, the shorter one that it still goes on. */
const WINDOWS = ['5m', '30m', '1h', '2h', '6h', '1d', '3d'] as const;

const share = (part: string, all: string) => (window: string) =>
  `sum by (namespace) (rate(${part}[${window}])) / sum by (namespace) (rate(${all}[${window}]))`;
/** Prometheus 3 writes the bound 60 as 60.0. */
const slower = (histogram: string, labels: string, seconds: number) => (window: string) => {
  const bucket = (le: string) => `${histogram}_bucket{${[labels, le].filter(Boolean).join(', ')}}`;
  return `1 - ${share(bucket(`le=~"${seconds}(\\\\.0)?"`), bucket('le="+Inf"'))(window)}`;
};

const WAITS_FOR_GATEWAYS = 'route!~".*(pay|confirm|refund)"';

export const objectives: readonly Objective[] = [
  {
    name: 'api-availability',
    budget: 0.001,
    missed: share(
      'gp_http_requests_total{service="api-gateway", status=~"5.."}',
      'gp_http_requests_total{service="api-gateway"}',
    ),
  },
  {
    name: 'api-latency',
    budget: 0.01,
    missed: slower('gp_http_request_duration_seconds', `service="api-gateway", ${WAITS_FOR_GATEWAYS}`, 1),
  },
  { name: 'captures', budget: 0.05, missed: slower('gp_hold_to_capture_seconds', '', 60) },
];

type Pair = {
  readonly long: (typeof WINDOWS)[number];
  readonly short: (typeof WINDOWS)[number];
  readonly rate: number;
};

const burnsIn = ({ long, short, rate }: Pair): string =>
  [long, short]
    .map(
      (window) =>
        `group_payments:error_ratio:rate${window} > on (objective) group_left () (${rate} * group_payments:error_budget:ratio)`,
    )
    .join('\nand ');

const alert = (
  name: string,
  severity: string,
  o: { after: string; within: string; pairs: readonly Pair[] },
) => ({
  alert: name,
  expr: o.pairs.map((pair) => `(\n${burnsIn(pair)}\n)`).join('\nor '),
  for: o.after,
  labels: { severity },
  annotations: {
    summary: `{{ $labels.objective }} is missed too often`,
    description: `At the rate of now ({{ $value | humanizePercentage }} miss {{ $labels.objective }}) the error budget of 30 days lasts for ${o.within} at most.`,
    runbook_url:
      'https://github.com/group-payments/group-payments/blob/main/services/operator/README.md#an-error-budget-burns',
  },
});

/** The rules of the objectives: each share over each window, the budgets, and one alert for each urgency. */
export const objectiveRules = () => ({
  groups: [
    {
      name: 'group-payments-objectives',
      rules: [
        ...objectives.flatMap(({ name, budget, missed }) => [
          ...WINDOWS.map((window) => ({
            record: `group_payments:error_ratio:rate${window}`,
            expr: missed(window),
            labels: { objective: name },
          })),
          {
            record: 'group_payments:error_budget:ratio',
            expr: `vector(${budget})`,
            labels: { objective: name },
          },
        ]),
        alert('GroupPaymentsBudgetBurnsFast', 'critical', {
          after: '2m',
          within: 'five days',
          pairs: [
            { long: '1h', short: '5m', rate: 14.4 },
            { long: '6h', short: '30m', rate: 6 },
          ],
        }),
        alert('GroupPaymentsBudgetBurnsSlowly', 'warning', {
          after: '15m',
          within: '30 days',
          pairs: [
            { long: '1d', short: '2h', rate: 3 },
            { long: '3d', short: '6h', rate: 1 },
          ],
        }),
      ],
    },
  ],
});
