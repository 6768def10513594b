import { pspCodes, toProcessName } from '@gp/gateway-registry';

/** Series in promtool's notation, a value a minute, and the minute at which the alert is evaluated. */
export type Case = { readonly series: Readonly<Record<string, string>>; readonly atMinute: number };

/** For each alert what makes it fire, and something like it that must not. */
export type Cases = { readonly fires: Case; readonly quiet: Case };

const at = (atMinute: number, series: Case['series']): Case => ({ atMinute, series });
const services = [
  ...[
    'api-gateway',
    'group-ledger',
    'checkout',
    'refund',
    'scheduler',
    'webhook-dispatcher',
    'merchant-dashboard',
  ],
  ...pspCodes.map(toProcessName),
];
const running = (names: readonly string[]): Case['series'] =>
  Object.fromEntries(names.map((name) => [`process_start_time_seconds{service="${name}"}`, '5x30']));

const lanes = (state: string, open: string): Case['series'] => ({
  [`gp_webhook_lanes{namespace="p",pod="d-0",state="${state}"}`]: open,
});
const answered = (outcome: string, counts: string): Case['series'] => ({
  [`gp_gateway_call_duration_seconds_count{namespace="p",psp_code="gateway_a",operation="capture",outcome="${outcome}"}`]:
    counts,
});
const captures = (upTo60: string, all: string): Case['series'] => {
  const bucket = (le: string) =>
    `gp_hold_to_capture_seconds_bucket{namespace="p",psp_code="gateway_b",le="${le}"}`;
  return { [bucket('60')]: upTo60, [bucket('300')]: all, [bucket('+Inf')]: all };
};
const requests = (route: string, upTo1: string, all: string): Case['series'] => {
  const bucket = (le: string) =>
    `gp_http_request_duration_seconds_bucket{namespace="p",service="api-gateway",route="${route}",method="GET",le="${le}"}`;
  return { [bucket('1')]: upTo1, [bucket('2.5')]: all, [bucket('+Inf')]: all };
};
const delays = (service: string, upToHalf: string, all: string): Case['series'] => {
  const bucket = (le: string) =>
    `gp_event_loop_delay_seconds_bucket{namespace="p",service="${service}",le="${le}"}`;
  return { [bucket('0.5')]: upToHalf, [bucket('1')]: all, [bucket('+Inf')]: all };
};
const http = (status: string, counts: string): Case['series'] => ({
  [`gp_http_requests_total{namespace="p",service="api-gateway",route="/v1/x",method="GET",status="${status}"}`]:
    counts,
});

const mails = (result: string, counts: string): Case['series'] => ({
  [`gp_mails_total{namespace="p",result="${result}"}`]: counts,
});

/** For each objective, series that miss it twice as often as the fast alert demands. */
export const missedObjectives: Readonly<Record<string, Case>> = {
  'api-availability': at(60, { ...http('200', '0+970x60'), ...http('500', '0+30x60') }),
  'api-latency': at(60, requests('/v1/group-payments/:id', '0+70x60', '0+100x60')),
  captures: at(60, captures('0+20x60', '0+100x60')),
};

export const cases: Readonly<Record<string, Cases>> = {
  GroupPaymentsHoldsWithoutGroup: {
    fires: at(20, { 'gp_drift_holds_without_group_payments{namespace="p",mode="live"}': '2x30' }),
    // Gone before anybody would have to get up, and a developer's holds.
    quiet: at(20, {
      'gp_drift_holds_without_group_payments{namespace="p",mode="live"}': '2x10 0x20',
      'gp_drift_holds_without_group_payments{namespace="p",mode="test"}': '7x30',
    }),
  },
  GroupPaymentsVoidsUnconfirmed: {
    fires: at(6, { 'gp_drift_voids_unconfirmed_payments{namespace="p",mode="live"}': '1x10' }),
    quiet: at(6, {
      'gp_drift_voids_unconfirmed_payments{namespace="p",mode="live"}': '0x10',
      'gp_drift_voids_unconfirmed_payments{namespace="p",mode="test"}': '1x10',
    }),
  },
  GroupPaymentsBooksDiffer: {
    fires: at(6, { 'gp_drift_books_differ_payments{namespace="p",mode="live"}': '1x10' }),
    quiet: at(6, { 'gp_drift_books_differ_payments{namespace="p",mode="live"}': '0x10' }),
  },
  GroupPaymentsUnknownOutcomes: {
    fires: at(16, {
      'gp_unknown_outcome_payments{namespace="p",mode="live",psp_code="gateway_a",operation="capture"}':
        '1x20',
    }),
    // Timeouts happen; asking ends them within minutes.
    quiet: at(16, {
      'gp_unknown_outcome_payments{namespace="p",mode="live",psp_code="gateway_a",operation="capture"}':
        '4x10 0x10',
    }),
  },
  GroupPaymentsCapturesSlow: {
    fires: at(25, captures('0+9x30', '0+10x30')),
    quiet: at(25, captures('0+99x30', '0+100x30')),
  },
  GroupPaymentsTasksWait: {
    fires: at(61, { 'gp_operator_tasks_open{namespace="p",service="group-ledger",code="disputed"}': '1x70' }),
    // Dead letters have an alert of their own.
    quiet: at(61, {
      'gp_operator_tasks_open{namespace="p",service="group-ledger",code="disputed"}': '1x50 0x20',
      'gp_operator_tasks_open{namespace="p",service="group-ledger",code="dead_letter"}': '1x70',
    }),
  },
  GroupPaymentsGatewayBreakerOpen: {
    // It lets a call try now and then, which does not make the gateway well.
    fires: at(8, {
      'gp_gateway_breaker_state{namespace="p",psp_code="gateway_a",operation="void",mode="live"}':
        '2 1 2 1 2 1 2 1 2',
    }),
    quiet: at(8, {
      'gp_gateway_breaker_state{namespace="p",psp_code="gateway_a",operation="void",mode="live"}':
        '0 0 2 1 0 0 0 0 0',
    }),
  },
  GroupPaymentsGatewayUnanswered: {
    fires: at(25, { ...answered('unknown', '0+2x30'), ...answered('approved', '0+8x30') }),
    quiet: at(25, { ...answered('unknown', '0+1x30'), ...answered('approved', '0+99x30') }),
  },
  GroupPaymentsOrdersWait: {
    fires: at(15, {
      'gp_gateway_waiting_orders{namespace="p",psp_code="gateway_a",operation="capture"}': '1500x20',
    }),
    quiet: at(15, {
      'gp_gateway_waiting_orders{namespace="p",psp_code="gateway_a",operation="capture"}': '900x20',
    }),
  },
  GroupPaymentsGatewayContradicts: {
    fires: at(30, { 'gp_gateway_contradictions_total{namespace="p",psp_code="gateway_c"}': '0x20 1x20' }),
    quiet: at(30, { 'gp_gateway_contradictions_total{namespace="p",psp_code="gateway_c"}': '3x40' }),
  },
  GroupPaymentsCallbacksRefused: {
    fires: at(25, {
      'gp_gateway_callbacks_total{namespace="p",psp_code="gateway_b",outcome="forged"}': '0+6x30',
    }),
    quiet: at(25, {
      'gp_gateway_callbacks_total{namespace="p",psp_code="gateway_b",outcome="forged"}': '0x15 1x15',
      'gp_gateway_callbacks_total{namespace="p",psp_code="gateway_b",outcome="stored"}': '0+60x30',
    }),
  },
  GroupPaymentsWebhooksLate: {
    fires: at(10, {
      'gp_webhook_oldest_due_seconds{namespace="p"}': '400+60x20',
      ...lanes('open', '0x20'),
      ...lanes('closed', '9x20'),
    }),
    // One that does not answer is its merchant's business.
    quiet: at(10, { 'gp_webhook_oldest_due_seconds{namespace="p"}': '400+60x20', ...lanes('open', '1x20') }),
  },
  GroupPaymentsWebhooksPileUp: {
    fires: at(20, { 'gp_webhook_due_deliveries{namespace="p"}': '20000x30' }),
    quiet: at(20, { 'gp_webhook_due_deliveries{namespace="p"}': '20000x10 900x20' }),
  },
  GroupPaymentsWebhookEndpointDown: {
    fires: at(61, lanes('open', '1x70')),
    quiet: at(61, { ...lanes('open', '1x30 0x40'), ...lanes('closed', '5x70') }),
  },
  GroupPaymentsWebhookClaimsLost: {
    fires: at(25, { 'gp_webhook_lost_claims_total{namespace="p"}': '0+2x30' }),
    quiet: at(25, { 'gp_webhook_lost_claims_total{namespace="p"}': '0x20 3x10' }),
  },
  GroupPaymentsOutboxStuck: {
    fires: at(5, { 'gp_outbox_oldest_age_seconds{namespace="p",service="checkout"}': '0+60x10' }),
    quiet: at(5, { 'gp_outbox_oldest_age_seconds{namespace="p",service="checkout"}': '0 1 70 0 1 0 2 0' }),
  },
  GroupPaymentsConsumerBehind: {
    fires: at(15, { 'gp_bus_consumer_lag_messages{namespace="p",durable="webhook-events"}': '1000+100x20' }),
    quiet: at(15, {
      'gp_bus_consumer_lag_messages{namespace="p",durable="webhook-events"}': '5000-900x5 40x15',
    }),
  },
  GroupPaymentsDeadLetters: {
    fires: at(6, { 'gp_operator_tasks_open{namespace="p",service="refund",code="dead_letter"}': '1x10' }),
    quiet: at(6, {
      'gp_operator_tasks_open{namespace="p",service="refund",code="dead_letter"}': '0x10',
      'gp_operator_tasks_open{namespace="p",service="refund",code="disputed"}': '1x10',
    }),
  },
  GroupPaymentsTimersLate: {
    fires: at(5, { 'gp_scheduler_overdue_oldest_seconds{namespace="p"}': '10+30x10' }),
    quiet: at(5, { 'gp_scheduler_overdue_oldest_seconds{namespace="p"}': '0 1 40 2 0 1 0 0' }),
  },
  GroupPaymentsLoopFails: {
    fires: at(25, {
      'gp_loop_failures_total{namespace="p",service="scheduler",loop="outbox-relay",code="57P01"}': '0+12x30',
    }),
    quiet: at(25, {
      'gp_loop_failures_total{namespace="p",service="scheduler",loop="outbox-relay",code="57P01"}':
        '0x20 15x10',
    }),
  },
  GroupPaymentsServiceGone: {
    fires: at(6, running(services.filter((name) => name !== 'refund'))),
    quiet: at(6, running(services)),
  },
  GroupPaymentsServiceRestarts: {
    fires: at(55, {
      'process_start_time_seconds{namespace="p",service="refund",pod="a"}': '1x9 2x9 3x9 4x9 5x9 6x9',
    }),
    // A rollout: another pod each time.
    quiet: at(55, {
      'process_start_time_seconds{namespace="p",service="refund",pod="a"}': '1x20',
      'process_start_time_seconds{namespace="p",service="refund",pod="b"}': '_x20 9x40',
    }),
  },
  GroupPaymentsServiceOutOfBreath: {
    fires: at(20, delays('group-ledger', '0+10x30', '0+600x30')),
    // Slow, and none of ours.
    quiet: at(20, {
      ...delays('group-ledger', '0+600x30', '0+600x30'),
      ...delays('reports', '0+10x30', '0+600x30'),
    }),
  },
  GroupPaymentsRequestsFail: {
    fires: at(15, { ...http('200', '0+90x20'), ...http('503', '0+10x20') }),
    quiet: at(15, { ...http('200', '0+500x20'), ...http('404', '0+300x20'), ...http('500', '0+1x20') }),
  },
  GroupPaymentsBudgetBurnsFast: {
    fires: at(60, { ...http('200', '0+90x60'), ...http('503', '0+10x60') }),
    // Ended half an hour ago: the long window still shows it, the short one does not.
    quiet: at(65, { ...http('200', '0+90x30 2700+100x40'), ...http('503', '0+10x30 300x40') }),
  },
  GroupPaymentsBudgetBurnsSlowly: {
    fires: at(170, { ...http('200', '0+995x180'), ...http('503', '0+5x180') }),
    // Half the budget.
    quiet: at(170, { ...http('200', '0+9995x180'), ...http('503', '0+5x180') }),
  },
  GroupPaymentsMailFails: {
    fires: at(40, { ...mails('failed', '0+1x50'), ...mails('sent', '7x50') }),
    // One address fails, the others are served.
    quiet: at(40, { ...mails('failed', '0+1x50'), ...mails('sent', '7+1x50') }),
  },
  GroupPaymentsRequestsSlow: {
    fires: at(25, requests('/v1/group-payments/:id', '0+90x30', '0+100x30')),
    // The payer waits for a gateway.
    quiet: at(25, {
      ...requests('/v1/group-payments/:id', '0+1000x30', '0+1000x30'),
      ...requests('/v1/group-payments/:id/refund', '0+1x30', '0+100x30'),
    }),
  },
};
