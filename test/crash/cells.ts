import {
  findManifest,
  toProcessName,
  pspCodes,
  pspCodesWithFlow,
  type Flow,
  type PspCode,
} from '@gp/gateway-registry';

/** The work in progress while a process is killed. */
export type Scenario = `${Course} on ${PspCode}`;
type Course =
  | 'paid'
  | 'paid after a refused start'
  | 'paid and sent again'
  | 'expired'
  | 'captured at expiry'
  | 'refunded'
  | 'signed up'
  | 'link replaced'
  | 'operated'
  | 'organised'
  | 'compared';

/** One service dies at each of these points, once, while the same thing is going on. */
export type Walk = {
  readonly service: string;
  readonly points: readonly string[];
  readonly scenario: Scenario;
  /** The bus loses everything at each death (F9). */
  readonly isForgetting?: true;
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
/** Where a callback or a question settles what the gateway has accepted, a process dies over the call itself only. */
const accepted = (operation: string) => ['start', 'call'].map((step) => `${operation}-${step}`);

/** The deaths of one adapter, on every course that its gateway has. */
function adapterWalks(code: PspCode): Walk[] {
  const service = toProcessName(code);
  const { flow, ledger } = findManifest(code);
  const callbacks = steps(code, 'callback-store', 'callback-apply', 'order-store');
  const common = [
    ...walks(service, `paid on ${code}`, ...callbacks),
    ...walks(service, `paid on ${code}`, ...outbox),
  ];
  if (flow === 'server_confirm')
    return [
      ...walks(service, `paid on ${code}`, ...steps(code, ...accepted('capture'), 'outcome-record')),
      ...common,
      ...walks(service, `expired on ${code}`, ...steps(code, ...accepted('void'))),
      ...walks(service, `refunded on ${code}`, ...steps(code, ...accepted('refund'))),
    ];
  return [
    ...callWalks(service, `paid on ${code}`, `${code}.prepare`, `${code}.capture`),
    ...common,
    ...callWalks(service, `expired on ${code}`, `${code}.void`),
    ...(ledger.isRefundable ? callWalks(service, `refunded on ${code}`, `${code}.refund`) : []),
  ];
}

/** The deaths on the way of a replaced checkout link, from the merchant's request to the end of its tokens. */
function linkWalks(scenario: Scenario): Walk[] {
  return [
    ...walks('group-ledger', scenario, ...around('ledger.link-roll')),
    ...walks('checkout', scenario, ...steps('checkout', 'link-roll', 'session-revoke')),
    ...walks('checkout', scenario, ...outbox),
    ...walks('api-gateway', scenario, ...steps('api_gateway', 'idempotency-begin', 'link-roll')),
    ...walks('api-gateway', scenario, ...steps('api_gateway', 'idempotency-keep', 'epoch-projection')),
    ...walks('merchant-dashboard', scenario, ...around('dashboard.link-roll')),
  ];
}

/** The gateways of what is the same on each: one where the payer's browser authorises, one where our server does. */
const BROWSER = findFirst('embedded');
const SERVER = findFirst('server_confirm');

function findFirst(flow: Flow): PspCode {
  const [first] = pspCodesWithFlow(flow);
  if (first === undefined) throw new Error(`no gateway has the flow ${flow}`);
  return first;
}

/**
 * The courses that move money, and the one that ends tokens by a message: in these the bus also loses its data, between any
 * two commits.
 */
const isForgettable = ({ service, scenario }: Walk): boolean =>
  /^(paid|expired|captured at expiry|refunded) on /.test(scenario) ||
  (service === 'checkout' && scenario.startsWith('link replaced'));

/** Every place where a process may die on the way from a created group to a delivered webhook, and back. */
const deaths: readonly Walk[] = [
  // Each of these leaves a doubt that takes its time: the longest first, and alone.
  ...pspCodesWithFlow('server_confirm').flatMap((code) =>
    steps(code, 'authorise-start', 'authorise-call', 'authorise-settle').flatMap((point) =>
      walks(toProcessName(code), `paid on ${code}`, point),
    ),
  ),
  ...walks('group-ledger', `paid on ${BROWSER}`, ...steps('ledger', 'create', 'reserve', 'outcome')),
  ...walks('group-ledger', `paid on ${SERVER}`, ...steps('ledger', 'begin-authorisation'), ...outbox),
  ...walks('group-ledger', `expired on ${BROWSER}`, ...around('ledger.timer')),
  ...walks('group-ledger', `captured at expiry on ${SERVER}`, ...around('ledger.timer')),
  ...walks('group-ledger', `paid after a refused start on ${BROWSER}`, ...around('ledger.release')),
  ...walks('group-ledger', `refunded on ${SERVER}`, ...around('ledger.refund')),
  ...walks('group-ledger', `signed up on ${SERVER}`, ...around('ledger.recheck')),
  ...walks('group-ledger', `operated on ${BROWSER}`, ...steps('ledger', 'cancel', 'update', 'operate')),
  ...walks('group-ledger', `organised on ${BROWSER}`, ...steps('ledger', 'update', 'cancel')),
  ...walks('group-ledger', `compared on ${BROWSER}`, ...around('ledger.reconcile')),
  ...walks(
    'api-gateway',
    `paid on ${BROWSER}`,
    ...steps('api_gateway', 'idempotency-begin', 'create', 'idempotency-keep'),
  ),
  ...walks(
    'api-gateway',
    `signed up on ${SERVER}`,
    ...steps('api_gateway', 'pay', 'confirm-begin', 'confirm-card'),
  ),
  ...walks(
    'api-gateway',
    `signed up on ${SERVER}`,
    ...steps('api_gateway', 'key-projection', 'origin-projection', 'epoch-projection'),
  ),
  ...walks('api-gateway', `refunded on ${SERVER}`, ...around('api_gateway.refund')),
  ...walks('checkout', `paid on ${BROWSER}`, ...steps('checkout', 'reserve', 'prepare')),
  ...walks('checkout', `paid after a refused start on ${BROWSER}`, ...around('checkout.release')),
  ...walks(
    'checkout',
    `signed up on ${SERVER}`,
    ...steps('checkout', 'session-mint', 'begin-authorisation', 'session-revoke'),
  ),
  ...linkWalks(`link replaced on ${BROWSER}`),
  ...pspCodes.flatMap(adapterWalks),
  ...walks(toProcessName(BROWSER), `compared on ${BROWSER}`, ...around(`${BROWSER}.books-read`)),
  ...walks('refund', `refunded on ${BROWSER}`, ...steps('refund', 'open', 'note')),
  ...walks('refund', `refunded on ${BROWSER}`, ...steps('refund', 'answer', 'progress')),
  ...walks('scheduler', `expired on ${BROWSER}`, ...around('scheduler.fire'), ...outbox),
  ...walks('webhook-dispatcher', `paid on ${BROWSER}`, ...steps('webhooks', 'intake', 'claim')),
  ...walks('webhook-dispatcher', `paid on ${BROWSER}`, ...steps('webhooks', 'request', 'outcome')),
  ...walks(
    'webhook-dispatcher',
    `paid and sent again on ${BROWSER}`,
    ...steps('webhooks', 'resend', 'recover', 'recover-step'),
  ),
  ...walks(
    'merchant-dashboard',
    `signed up on ${SERVER}`,
    ...steps('dashboard', 'merchant', 'api-key', 'credentials', 'gateway'),
  ),
  ...walks(
    'merchant-dashboard',
    `signed up on ${SERVER}`,
    ...steps('dashboard', 'settings', 'key-exposure', 'sessions', 'cancel', 'refund'),
  ),
];

/** All walks, once with a bus that keeps its messages and once, where money depends on it, with one that loses them. */
export const crashMatrix: readonly Walk[] = [
  ...deaths,
  ...deaths.filter(isForgettable).map((walk) => ({ ...walk, isForgetting: true }) as const),
];

const adapters: ReadonlySet<string> = new Set(pspCodes.map(toProcessName));

/** Whether it is a gateway's adapter that dies: more than half of the matrix. */
export const isOfAdapter = ({ service }: Walk): boolean => adapters.has(service);
