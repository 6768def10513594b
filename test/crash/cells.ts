/** What is going on while a process is killed. */
export type Scenario =
  | 'paid on gateway_a'
  | 'paid on gateway_b'
  | 'paid on gateway_c'
  | 'paid after a refused start on gateway_a'
  | 'paid and sent again on gateway_a'
  | 'expired on gateway_a'
  | 'expired on gateway_b'
  | 'expired on gateway_c'
  | 'refunded on gateway_a'
  | 'refunded on gateway_b'
  | 'newcomer on gateway_b'
  | 'operated on gateway_a'
  | 'compared on gateway_a';

/** One service dies at each of these points, once, while the same thing is going on. */
export type Walk = {
  readonly service: string;
  readonly points: readonly string[];
  readonly scenario: Scenario;
};

/** More deaths on one way would run into the patience of those who wait. */
const DEATHS = 6;

const around = (step: string) => [`${step}.before`, `${step}.after`];
const walks = (service: string, scenario: Scenario, ...points: string[]): Walk[] =>
  Array.from({ length: Math.ceil(points.length / DEATHS) }, (_, index) => ({
    service,
    scenario,
    points: points.slice(index * DEATHS, (index + 1) * DEATHS),
  }));

const outbox = [...around('outbox.publish'), ...around('outbox.mark')];
const steps = (prefix: string, ...names: string[]) => names.flatMap((name) => around(`${prefix}.${name}`));
/**
 * Until the gateway has done something a process may die over the same call again and again; afterwards a callback may
 * settle the call before the next process does, so only the first death is certain.
 */
const callWalks = (service: string, scenario: Scenario, ...calls: string[]): Walk[] => [
  ...calls.flatMap((each) => walks(service, scenario, ...around(`${each}-start`), ...around(`${each}-call`))),
  ...walks(service, scenario, ...calls.map((each) => `${each}-settle.before`)),
  ...walks(service, scenario, ...calls.map((each) => `${each}-settle.after`)),
];
/** gateway_b takes captures and voids first and reports them later: its callback or a question settles them. */
const accepted = (operation: string) => ['start', 'call'].map((step) => `${operation}-${step}`);

/** Every place where a process may die on the way from a created group to a delivered webhook, and back. */
export const crashMatrix: readonly Walk[] = [
  // Each of these leaves a doubt that takes its time: the longest first, and alone.
  ...steps('gateway_b', 'authorise-start', 'authorise-call', 'authorise-settle').flatMap((point) =>
    walks('gateway-b', 'paid on gateway_b', point),
  ),
  ...walks('group-ledger', 'paid on gateway_a', ...steps('ledger', 'create', 'reserve', 'outcome')),
  ...walks('group-ledger', 'paid on gateway_b', ...steps('ledger', 'begin-authorisation'), ...outbox),
  ...walks('group-ledger', 'expired on gateway_a', ...around('ledger.timer')),
  ...walks('group-ledger', 'paid after a refused start on gateway_a', ...around('ledger.release')),
  ...walks('group-ledger', 'refunded on gateway_b', ...around('ledger.refund')),
  ...walks('group-ledger', 'newcomer on gateway_b', ...around('ledger.recheck')),
  ...walks('group-ledger', 'operated on gateway_a', ...steps('ledger', 'cancel', 'operate')),
  ...walks('group-ledger', 'compared on gateway_a', ...around('ledger.reconcile')),
  ...walks(
    'api-gateway',
    'paid on gateway_a',
    ...steps('api_gateway', 'idempotency-begin', 'create', 'idempotency-keep'),
  ),
  ...walks(
    'api-gateway',
    'newcomer on gateway_b',
    ...steps('api_gateway', 'pay', 'confirm-begin', 'confirm-card'),
  ),
  ...walks(
    'api-gateway',
    'newcomer on gateway_b',
    ...steps('api_gateway', 'key-projection', 'origin-projection', 'epoch-projection'),
  ),
  ...walks('api-gateway', 'refunded on gateway_b', ...around('api_gateway.refund')),
  ...walks('checkout', 'paid on gateway_a', ...steps('checkout', 'reserve', 'prepare')),
  ...walks('checkout', 'paid after a refused start on gateway_a', ...around('checkout.release')),
  ...walks(
    'checkout',
    'newcomer on gateway_b',
    ...steps('checkout', 'session-mint', 'begin-authorisation', 'session-revoke'),
  ),
  ...callWalks('gateway-a', 'paid on gateway_a', 'gateway_a.prepare', 'gateway_a.capture'),
  ...walks('gateway-a', 'paid on gateway_a', ...steps('gateway_a', 'callback-store', 'callback-apply')),
  ...walks('gateway-a', 'paid on gateway_a', ...outbox),
  ...callWalks('gateway-a', 'expired on gateway_a', 'gateway_a.void'),
  ...callWalks('gateway-a', 'refunded on gateway_a', 'gateway_a.refund'),
  ...walks('gateway-a', 'compared on gateway_a', ...around('gateway_a.books-read')),
  ...walks('gateway-b', 'paid on gateway_b', ...steps('gateway_b', ...accepted('capture'), 'outcome-record')),
  ...walks('gateway-b', 'paid on gateway_b', ...steps('gateway_b', 'callback-store', 'callback-apply')),
  ...walks('gateway-b', 'paid on gateway_b', ...outbox),
  ...walks('gateway-b', 'expired on gateway_b', ...steps('gateway_b', ...accepted('void'))),
  ...walks('gateway-b', 'refunded on gateway_b', ...steps('gateway_b', ...accepted('refund'))),
  ...callWalks('gateway-c', 'paid on gateway_c', 'gateway_c.prepare', 'gateway_c.capture'),
  ...walks('gateway-c', 'paid on gateway_c', ...steps('gateway_c', 'callback-store', 'callback-apply')),
  ...walks('gateway-c', 'paid on gateway_c', ...outbox),
  ...callWalks('gateway-c', 'expired on gateway_c', 'gateway_c.void'),
  ...walks('refund', 'refunded on gateway_a', ...steps('refund', 'open', 'note')),
  ...walks('refund', 'refunded on gateway_a', ...steps('refund', 'answer', 'progress')),
  ...walks('scheduler', 'expired on gateway_a', ...around('scheduler.fire'), ...outbox),
  ...walks('webhook-dispatcher', 'paid on gateway_a', ...steps('webhooks', 'intake', 'claim')),
  ...walks('webhook-dispatcher', 'paid on gateway_a', ...steps('webhooks', 'request', 'outcome')),
  ...walks(
    'webhook-dispatcher',
    'paid and sent again on gateway_a',
    ...steps('webhooks', 'resend', 'recover', 'recover-step'),
  ),
  ...walks(
    'merchant-dashboard',
    'newcomer on gateway_b',
    ...steps('dashboard', 'merchant', 'api-key', 'credentials', 'gateway'),
  ),
  ...walks(
    'merchant-dashboard',
    'newcomer on gateway_b',
    ...steps('dashboard', 'origins', 'key-exposure', 'sessions', 'cancel', 'refund'),
  ),
];
