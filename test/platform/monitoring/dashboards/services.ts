import { label, quantile, rate, series, type Board } from './panel.ts';

const chosen = 'service=~"$service"';
const requests = (...matchers: readonly string[]) =>
  `sum by (service) (${rate('gp_http_requests_total', chosen, ...matchers)})`;

export const services: Board = {
  file: 'services',
  title: 'Services',
  about: 'Each process: requests, errors, durations, and what it costs.',
  variables: { service: { label: 'service', of: 'process_start_time_seconds' } },
  rows: [
    {
      title: 'HTTP',
      panels: [
        {
          title: 'Requests',
          about: 'Answered a second, by service.',
          unit: 'reqps',
          queries: [[requests(), '{{service}}']],
        },
        {
          title: 'Failed',
          about: 'Share of requests answered with 5xx: ours, or a gateway that is away.',
          unit: 'percentunit',
          queries: [[`(${requests('status=~"5.."')} or 0 * ${requests()}) / ${requests()}`, '{{service}}']],
          runbook: 'services/api-gateway/README.md#requests-fail',
        },
        {
          title: 'Slowest routes, p99',
          about: 'The ten routes that take longest.',
          unit: 's',
          queries: [
            [
              `topk(10, ${quantile(0.99, 'gp_http_request_duration_seconds', ['service', 'route', 'method'], chosen)})`,
              '{{service}} {{method}} {{route}}',
            ],
          ],
          spans: `kind = server && name = "${label('method')} ${label('route')}"`,
          runbook: 'services/api-gateway/README.md#requests-are-slow',
        },
        {
          title: 'Busiest routes',
          about: 'Requests a second by route, method and status.',
          unit: 'reqps',
          queries: [
            [
              `topk(15, sum by (route, method, status) (${rate('gp_http_requests_total', chosen)}))`,
              '{{method}} {{route}} {{status}}',
            ],
          ],
        },
        {
          title: 'Idempotency keys',
          about: 'Whether a request with a key began something, repeated it, or had to wait.',
          unit: 'reqps',
          queries: [[`sum by (outcome) (${rate('gp_idempotency_requests_total')})`, '{{outcome}}']],
        },
        {
          title: 'Refused by a limit',
          about: 'Requests answered with 429, by the limit; too_many_declines is somebody who tries cards.',
          unit: 'reqps',
          queries: [[`sum by (reason) (${rate('gp_rate_limited_requests_total')})`, '{{reason}}']],
        },
      ],
    },
    {
      title: 'Processes',
      panels: [
        {
          title: 'Replicas',
          about: 'Processes that say something.',
          unit: 'none',
          queries: [[`count by (service) (${series('process_start_time_seconds', chosen)})`, '{{service}}']],
          runbook: 'services/operator/README.md#a-service-is-gone',
        },
        {
          title: 'Starts in an hour',
          about: 'More than a rollout explains is a process that dies.',
          unit: 'none',
          queries: [
            [
              `sum by (service) (changes(${series('process_start_time_seconds', chosen)}[1h]))`,
              '{{service}}',
            ],
          ],
        },
        {
          title: 'CPU',
          about: 'Cores used, by service.',
          unit: 'short',
          queries: [[`sum by (service) (${rate('process_cpu_seconds_total', chosen)})`, '{{service}}']],
        },
        {
          title: 'Memory',
          about: 'Resident, of the largest replica.',
          unit: 'bytes',
          queries: [[`max by (service) (${series('process_resident_memory_bytes', chosen)})`, '{{service}}']],
        },
        {
          title: 'Event loop, p99 of its delay',
          about: 'Beyond a tenth of a second a process is out of CPU or does something long at once.',
          unit: 's',
          queries: [[quantile(0.99, 'gp_event_loop_delay_seconds', ['service'], chosen), '{{service}}']],
          runbook: 'services/operator/README.md#a-service-is-out-of-breath',
        },
        {
          title: 'Live streams',
          about: 'Payers who watch their bill, and members with a page of the dashboard before them.',
          unit: 'none',
          queries: [
            [`sum(${series('gp_live_streams')})`, 'payers'],
            [`sum(${series('gp_dashboard_streams')})`, 'members'],
          ],
        },
      ],
    },
  ],
};
