/** What is going on while a process is killed. */
export type Scenario =
  'paid on gateway_a' | 'paid on gateway_b' | 'expired on gateway_a' | 'expired on gateway_b';

export type Cell = { readonly service: string; readonly point: string; readonly scenario: Scenario };

const around = (step: string) => [`${step}.before`, `${step}.after`];
const cells = (service: string, scenario: Scenario, ...points: string[]): Cell[] =>
  points.map((point) => ({ service, point, scenario }));

const outbox = [...around('outbox.publish'), ...around('outbox.mark')];
const adapter = (psp: string, ...steps: string[]) => steps.flatMap((step) => around(`${psp}.${step}`));
const call = (operation: string) => ['start', 'call', 'settle'].map((step) => `${operation}-${step}`);

/** Every place where a process may die on the way from a created group to a delivered webhook. */
export const crashMatrix: readonly Cell[] = [
  ...cells('group-ledger', 'paid on gateway_a', ...around('ledger.create'), ...around('ledger.reserve')),
  ...cells('group-ledger', 'paid on gateway_b', ...around('ledger.begin-authorisation')),
  ...cells('group-ledger', 'paid on gateway_a', ...around('ledger.outcome'), ...outbox),
  ...cells('group-ledger', 'expired on gateway_a', ...around('ledger.timer')),
  ...cells('checkout', 'paid on gateway_a', 'checkout.reserve.after', 'checkout.prepare.after'),
  ...cells(
    'gateway-a',
    'paid on gateway_a',
    ...adapter('gateway_a', ...call('prepare'), ...call('capture'), 'callback-store', 'callback-apply'),
    ...outbox,
  ),
  ...cells('gateway-a', 'expired on gateway_a', ...adapter('gateway_a', ...call('void'))),
  ...cells(
    'gateway-b',
    'paid on gateway_b',
    ...adapter(
      'gateway_b',
      ...call('authorise'),
      ...call('capture'),
      'outcome-record',
      'callback-store',
      'callback-apply',
    ),
    ...outbox,
  ),
  ...cells('gateway-b', 'expired on gateway_b', ...adapter('gateway_b', ...call('void'))),
  ...cells('scheduler', 'expired on gateway_a', ...around('scheduler.fire'), ...outbox),
];
