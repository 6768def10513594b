/** What is going on while a process is killed. */
export type Scenario =
  | 'paid on gateway_a'
  | 'paid on gateway_b'
  | 'paid on gateway_c'
  | 'paid after a refused start on gateway_a'
  | 'paid and sent again on gateway_a'
  | 'expired on gateway_a'
  | 'expired on gateway_b'
  | 'refunded on gateway_a'
  | 'refunded on gateway_b';

export type Cell = { readonly service: string; readonly point: string; readonly scenario: Scenario };

const around = (step: string) => [`${step}.before`, `${step}.after`];
const cells = (service: string, scenario: Scenario, ...points: string[]): Cell[] =>
  points.map((point) => ({ service, point, scenario }));

const outbox = [...around('outbox.publish'), ...around('outbox.mark')];
const steps = (prefix: string, ...names: string[]) => names.flatMap((name) => around(`${prefix}.${name}`));
const call = (operation: string) => ['start', 'call', 'settle'].map((step) => `${operation}-${step}`);
/** gateway_b takes captures and voids first and reports them later: its callback or a question settles them. */
const accepted = (operation: string) => ['start', 'call'].map((step) => `${operation}-${step}`);

/** Every place where a process may die on the way from a created group to a delivered webhook. */
export const crashMatrix: readonly Cell[] = [
  ...cells('group-ledger', 'paid on gateway_a', ...around('ledger.create'), ...around('ledger.reserve')),
  ...cells('group-ledger', 'paid on gateway_b', ...around('ledger.begin-authorisation')),
  ...cells('group-ledger', 'paid on gateway_a', ...around('ledger.outcome'), ...outbox),
  ...cells('group-ledger', 'expired on gateway_a', ...around('ledger.timer')),
  ...cells('group-ledger', 'paid after a refused start on gateway_a', ...around('ledger.release')),
  ...cells(
    'api-gateway',
    'paid on gateway_a',
    ...steps('api_gateway', 'idempotency-begin', 'idempotency-keep', 'create', 'pay'),
  ),
  ...cells('api-gateway', 'paid on gateway_b', ...steps('api_gateway', 'confirm-begin', 'confirm-card')),
  ...cells('checkout', 'paid on gateway_a', ...steps('checkout', 'reserve', 'prepare')),
  ...cells('checkout', 'paid after a refused start on gateway_a', ...around('checkout.release')),
  ...cells('checkout', 'paid on gateway_b', ...around('checkout.begin-authorisation')),
  ...cells(
    'gateway-a',
    'paid on gateway_a',
    ...steps('gateway_a', ...call('prepare'), ...call('capture'), 'callback-store', 'callback-apply'),
    ...outbox,
  ),
  ...cells('gateway-a', 'expired on gateway_a', ...steps('gateway_a', ...call('void'))),
  ...cells(
    'gateway-b',
    'paid on gateway_b',
    ...steps(
      'gateway_b',
      ...call('authorise'),
      ...accepted('capture'),
      'outcome-record',
      'callback-store',
      'callback-apply',
    ),
    ...outbox,
  ),
  ...cells('gateway-b', 'expired on gateway_b', ...steps('gateway_b', ...accepted('void'))),
  // Its own suite kills it at every step; here only where it has no neighbour: the notification that is sent once.
  ...cells('gateway-c', 'paid on gateway_c', ...steps('gateway_c', 'callback-store', 'capture-call')),
  ...cells('refund', 'refunded on gateway_a', ...steps('refund', 'open', 'note', 'answer', 'progress')),
  ...cells('group-ledger', 'refunded on gateway_b', ...around('ledger.refund')),
  ...cells('api-gateway', 'refunded on gateway_b', ...steps('api_gateway', 'refund')),
  ...cells('gateway-a', 'refunded on gateway_a', ...steps('gateway_a', ...call('refund'))),
  ...cells('gateway-b', 'refunded on gateway_b', ...steps('gateway_b', ...accepted('refund'))),
  ...cells('scheduler', 'expired on gateway_a', ...around('scheduler.fire'), ...outbox),
  ...cells(
    'webhook-dispatcher',
    'paid on gateway_a',
    ...steps('webhooks', 'intake', 'claim', 'request', 'outcome'),
  ),
  ...cells(
    'webhook-dispatcher',
    'paid and sent again on gateway_a',
    ...steps('webhooks', 'resend', 'recover', 'recover-step'),
  ),
];
