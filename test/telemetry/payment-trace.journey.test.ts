import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findManifest, toProcessName, pspCodes, type PspCode } from '@gp/gateway-registry';
import type { ReceivedSpan } from '@gp/stack';
import { openEndpoint, type Endpoint } from '../support/endpoint.ts';
import { openOwnStack, type OwnStack } from '../support/own-stack.ts';
import { cards } from '../support/payer.ts';
import { findSubject } from '../support/subjects.ts';
import { traceGraph, withoutSteps, type TraceGraph } from '../support/trace-graph.ts';
import { openTraceReceiver, type TraceReceiver } from '../support/trace-receiver.ts';
import { findSort, listFaults, readAttribute, SORT_NAMES } from './span-sorts.ts';
import { intrude, letExpire, payOverAll, payWithFault, PLANTED, STRANGER, type Life } from './lives.ts';

/** Attributes that spans may have: a new name here lets more data leave the platform, as it does in @gp/telemetry. */
const ATTRIBUTES = [
  'db.namespace',
  'db.operation.name',
  'db.query.summary',
  'db.response.status_code',
  'db.system.name',
  'error.type',
  'gp.attempt',
  'gp.attempt_id',
  'gp.endpoint_id',
  'gp.event_id',
  'gp.event_type',
  'gp.intent_id',
  'gp.merchant_id',
  'gp.mode',
  'gp.operation',
  'gp.outcome',
  'gp.psp_code',
  'gp.request_id',
  'gp.timer_kind',
  'gp.trigger',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'messaging.consumer.group.name',
  'messaging.destination.name',
  'messaging.destination.template',
  'messaging.message.id',
  'messaging.operation.name',
  'messaging.operation.type',
  'messaging.system.name',
  'rpc.method',
  'rpc.system.name',
  'server.address',
  'server.port',
  'url.full',
  'url.path',
  'url.scheme',
];

let own: OwnStack;
let traces: TraceReceiver;
let endpoint: Endpoint;
/** All spans, and those that are more than a step of another one. */
let whole: TraceGraph;
let graph: TraceGraph;
/** Payments that went well, by gateway; those that did not, by what went wrong. */
let lives: Map<string, Life>;
let retried: Life;
let unknown: Life;
let expired: Life;

beforeAll(async () => {
  traces = await openTraceReceiver();
  own = await openOwnStack({
    ...traces.settings,
    TRACE_SAMPLE_RATIO: '1',
    LOG_LEVEL: 'debug',
    GP_SET_RETRY_LADDER_MS: '200,200,200',
  });
  // The first of all deliveries is refused.
  endpoint = await openEndpoint((nth) => (nth === 0 ? 500 : 200));
  await intrude(own);
  let paid: Life[];
  [paid, retried, unknown, expired] = await Promise.all([
    payOverAll(own, endpoint),
    payWithFault(own, 'gateway_b', 'capture:http_500:1'),
    payWithFault(own, 'gateway_b', 'authorise:drop_response:1,callback:lose'),
    letExpire(own),
  ]);
  lives = new Map(paid.map((life) => [life.pay.psp_code, life]));
  // Services send what is left of their spans before they end.
  await own.opened.stop();
  whole = traceGraph(traces.spans());
  graph = traceGraph(withoutSteps(traces.spans()));
}, 240_000);
afterAll(async () => {
  await endpoint?.close();
  await own?.close();
  await traces?.close();
});

const label = (span: ReceivedSpan | undefined) => `${span?.service} ${span?.name}`;
const rootsLinkedWith = (life: Life) =>
  graph.linkedWith(findTraceId(life)).map((id) => label(graph.root(id)));

const CREATE = 'api-gateway POST /v1/group-payments';
const PAY = 'api-gateway POST /v1/group-payments/:id/pay';
const CONFIRM = 'api-gateway POST /v1/group-payments/:id/confirm';
const REFUND = 'api-gateway POST /v1/group-payments/:id/refund';
const START = 'checkout rpc.checkout.payments.start.v1';
const RESERVE = 'group-ledger rpc.ledger.slots.reserve.v1';
const OUTCOME = 'group-ledger process cmd.ledger.outcome.record.v1';
const CHANGE = 'group-ledger change payment';
const FIRE = 'scheduler fire timer';
const ATTEMPT = 'webhook-dispatcher webhook attempt';
const CAPTURED = 'webhook-dispatcher process evt.ledger.payment_intent.captured.v1';

const findFlow = (gateway: PspCode) => findManifest(gateway).flow;
const isRefundable = (gateway: PspCode) => findManifest(gateway).ledger.isRefundable;

/**
 * The source of a hold: our server requests it from the gateway, or the payer's browser does and a callback reports it.
 */
const listHoldSpans = (gateway: PspCode): readonly string[] =>
  findFlow(gateway) === 'server_confirm'
    ? [
        'api-gateway confirm with the card',
        `${toProcessName(gateway)} rpc.${gateway}.intent.confirm.v1`,
        `${toProcessName(gateway)} ${gateway} authorise`,
        'group-ledger rpc.ledger.outcomes.record.v1',
      ]
    : [
        `${toProcessName(gateway)} ${gateway} prepare`,
        `${toProcessName(gateway)} apply callback`,
        `${toProcessName(gateway)} ${gateway} query`,
      ];

const nameCapture = (gateway: string) => `${toProcessName(gateway)} ${gateway} capture`;

const listHops = (gateway: PspCode) => [
  START,
  RESERVE,
  `${toProcessName(gateway)} rpc.${gateway}.intent.prepare.v1`,
  'scheduler process cmd.scheduler.timers.change.v1',
  ...listHoldSpans(gateway),
  ...findSubject(gateway).spans.map((name) => `psp-sandbox ${name}`),
  ...(isRefundable(gateway) ? ['refund process evt.ledger.refund.progressed.v1'] : []),
  nameCapture(gateway),
  OUTCOME,
  'webhook-dispatcher process evt.ledger.payment_intent.preauthorised.v1',
  CAPTURED,
];

/** From the payer's request to the capture, each the child of its cause. The last payer's hold captures for all. */
const listWay = (gateway: PspCode) => [
  PAY,
  START,
  ...(findFlow(gateway) === 'redirect'
    ? [
        `${toProcessName(gateway)} rpc.${gateway}.intent.prepare.v1`,
        `${toProcessName(gateway)} apply callback`,
        OUTCOME,
      ]
    : [RESERVE, CHANGE]),
  `${toProcessName(gateway)} carry out capture`,
  nameCapture(gateway),
];

const listLinkedRoots = (gateway: PspCode) => [
  CREATE,
  findFlow(gateway) === 'server_confirm' ? CONFIRM : `${toProcessName(gateway)} POST /callbacks/${gateway}`,
  // The last payer's trace, and from it those of the others.
  PAY,
  ATTEMPT,
  ...(isRefundable(gateway) ? [REFUND] : []),
];

describe.each(pspCodes)('the trace of a payment on %s', (gateway) => {
  const life = () => lives.get(gateway) as Life;
  const trace = () => graph.trace(findTraceId(life()));

  it('the trace of a payment has one root, the request that began the payment, and every hop below it', () => {
    const roots = trace().filter((span) => !span.parentSpanId);
    expect(roots.map(label)).toEqual([PAY]);
    expect(trace().map(label)).toEqual(expect.arrayContaining(listHops(gateway)));
  });

  it('the trace leads from the request to the capture and its event, each step the child of its cause', () => {
    const pathTo = (wanted: string) => {
      const found = trace().find((span) => label(span) === wanted);
      return found ? graph.path(found).map(label) : [];
    };
    expect(pathTo(nameCapture(gateway))).toEqual(listWay(gateway));
    // The answer and a callback both report it, and the first of them counts.
    expect(pathTo(CAPTURED)[0]).toBe(PAY);
    expect(pathTo(CAPTURED).slice(-2)).toEqual([OUTCOME, CAPTURED]);
  });

  it('the trace has spans of every sort that the conventions describe, from requests to statements (Q43)', () => {
    const sorts = new Set(whole.trace(findTraceId(life())).map(findSort));
    expect([...sorts]).toEqual(expect.arrayContaining(SORT_NAMES));
  });

  it('the trace is linked with the requests of others: group, confirm or callback, capture, refund, webhooks', () => {
    expect(rootsLinkedWith(life())).toEqual(expect.arrayContaining(listLinkedRoots(gateway)));
  });
});

describe('what follows on a failure or on time is in the same trace, linked to what caused it', () => {
  it('a capture that is retried is in the same trace, linked to its timer', () => {
    expect(namesIn(retried).filter((name) => name === 'gateway_b capture').length).toBeGreaterThan(1);
    expect(listTimers(retried)).toContain('capture_retry');
  });

  it('a query about an unknown outcome is in the same trace, linked to its timer', () => {
    const names = namesIn(unknown);
    expect(names).toEqual(
      expect.arrayContaining(['process cmd.gateway_b.payment.query.v1', 'gateway_b query']),
    );
    expect(names.filter((name) => name === 'gateway_b authorise')).toHaveLength(1);
    expect(listTimers(unknown)).toContain('authorisation_query');
  });

  it('a hold that is released at expiry is linked to the timer, which is linked to the creation of the group', () => {
    expect(namesIn(expired)).toEqual(expect.arrayContaining(['gateway_a void']));
    expect(listTimers(expired)).toContain('group_expiry');
    const timer = graph.linkedWith(findTraceId(expired)).find((id) => label(graph.root(id)) === FIRE) ?? '';
    expect(graph.linkedWith(timer).map((id) => label(graph.root(id)))).toContain(CREATE);
  });

  it('each attempt of a webhook is a trace of its own, linked to the event', () => {
    const first = endpoint.deliveries[0]?.event.id;
    const attempts = traces
      .spans()
      .filter((span) => label(span) === ATTEMPT && readAttribute(span, 'gp.event_id') === first)
      .toSorted((a, b) => Number(a.startTimeUnixNano) - Number(b.startTimeUnixNano));
    expect(attempts.map((span) => readAttribute(span, 'gp.outcome'))).toEqual(['status_5xx', 'acknowledged']);
    expect(new Set(attempts.map(({ traceId }) => traceId)).size).toBe(2);
    const about = attempts.flatMap(({ links = [] }) => links.map((link) => label(graph.root(link.traceId))));
    expect(about).toEqual([PAY, PAY]);
  });

  const namesIn = (life: Life) => graph.trace(findTraceId(life)).map(({ name }) => name);
  /** The kinds of timers that the trace is linked with. */
  const listTimers = (life: Life) =>
    graph.linkedWith(findTraceId(life)).flatMap((id) => {
      const root = graph.root(id);
      return root && label(root) === FIRE ? [readAttribute(root, 'gp.timer_kind')] : [];
    });
});

describe('the trace id of a payment', () => {
  it('the trace id of a payment is in every log line about it, as the line’s own or as that of its cause', async () => {
    const text = await readFile(join(own.dataDir, 'services.log'), 'utf8');
    for (const life of everyLife()) {
      const { payment_intent_id } = life.pay;
      const lines = text.split('\n').filter((line) => line.includes(`"intent_id":"${payment_intent_id}"`));
      expect(lines.length).toBeGreaterThan(5);
      const near = new Set([findTraceId(life), ...graph.linkedWith(findTraceId(life))]);
      const others = lines.filter((line) => !near.has(String((JSON.parse(line) as Line).trace_id)));
      expect(others).toEqual([]);
    }
  });

  it('the trace id of a payment is in the audit of every change, and in the dashboard from beginning to webhooks (Q32)', () => {
    for (const life of everyLife()) {
      const { payment_intent_id } = life.pay;
      const near = [findTraceId(life), ...graph.linkedWith(findTraceId(life))];
      const changes = life.timeline.filter((entry) => entry.payment_intent_id === payment_intent_id);
      expect(changes.length).toBeGreaterThan(2);
      for (const change of changes) expect(near).toContain(change.trace_id);
      const known = life.timeline.filter(({ trace_id }) => trace_id !== null && graph.root(trace_id));
      expect(known).toEqual(life.timeline);
    }
  });
});

describe('what leaves the platform', () => {
  it('exported spans include the parent of every span and the target of every link', () => {
    expect(whole.orphans().map(label)).toEqual([]);
    expect(whole.dangling()).toEqual([]);
  });

  it('exported spans have the kinds, names and attributes that the semantic conventions demand (Q43)', () => {
    expect(traces.spans().flatMap(listFaults)).toEqual([]);
  });

  it('exported spans have only the listed attributes, no span events, and no text but codes', () => {
    const spans = traces.spans();
    const used = new Set(spans.flatMap(({ attributes }) => attributes.map(({ key }) => key)));
    // Statements of Postgres rarely fail, in a conflict for example.
    used.add('db.response.status_code');
    expect([...used].toSorted()).toEqual(ATTRIBUTES);
    expect(spans.flatMap(({ events = [] }) => events)).toEqual([]);
    for (const { name, status } of spans) {
      expect(name).toMatch(/^[\w .:/-]{1,80}$/);
      expect(status?.message ?? '').toMatch(/^\w*$/);
    }
  });

  it('exported spans hold nothing that a person or a program has entered', () => {
    const text = traces.text();
    const secrets = [
      ...Object.values(PLANTED),
      ...Object.values(cards),
      endpoint.deliveries[0]?.raw ?? 'none',
    ];
    const { merchants } = own.stack;
    for (const { test_key, live_key, password } of merchants) secrets.push(test_key, live_key, password);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    expect(text).not.toMatch(/@|ev:|whsec_|_secret_|sk_(test|live)_|eyJ/);
    expect(graph.trace(STRANGER)).toEqual([]);
  });
});

type Line = { readonly trace_id?: string };
const everyLife = () => [...lives.values(), retried, unknown, expired];

/** The trace that the dashboard names at the payment's beginning. */
function findTraceId({ pay, timeline }: Life): string {
  const begun = timeline.find((entry) => entry.payment_intent_id === pay.payment_intent_id);
  return begun?.trace_id ?? 'no trace';
}
