import type { Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import type { DeliveryView, EventType, Mode, RecoveryView, RequestOf, SentEvent } from '@gp/contracts';
import { notFound, validationError } from '@gp/errors';
import { uuidv7 } from 'uuidv7';

type Owned = { readonly merchant_id: string; readonly mode: Mode };
type OfEndpoint = Owned & { readonly endpoint_id: string };

const AT = '2026-01-02T03:04:05.678Z';

/** Deliveries and recoveries of endpoints that `mine` knows; every request is put into `received`. */
export function serveDeliveries(bus: Bus, mine: (o: Owned & { id: string }) => object, received: object[]) {
  const deliveries = new Map<string, DeliveryView & { endpoint_id: string }>();
  const recoveries = new Map<string, RecoveryView>();
  const check = <R extends OfEndpoint>(request: R): R => {
    mine({ ...request, id: request.endpoint_id });
    received.push(request);
    return request;
  };
  return [
    bus.serve(contracts.rollSecret, (request) => {
      const { merchant_id: _m, mode: _mode, ...view } = mine(request) as contracts.EndpointView & Owned;
      received.push(request);
      const previous_secrets_end_at = request.overlap_seconds === 0 ? null : AT;
      return Promise.resolve({ ...view, secret: 'whsec_bmV3', previous_secrets_end_at });
    }),
    bus.serve(contracts.sendTestEvent, (request) => {
      const { endpoint_id, event_type } = check(request);
      const delivery = newDelivery(event_type);
      deliveries.set(delivery.id, { ...delivery, endpoint_id });
      return Promise.resolve(delivery);
    }),
    bus.serve(contracts.listDeliveries, (request) => {
      const { endpoint_id, limit, after } = check(request);
      const all = [...deliveries.values()].filter((each) => each.endpoint_id === endpoint_id);
      const from = after ? all.findIndex((each) => each.id === after.id) + 1 : 0;
      const page = all.slice(from, from + limit);
      const last = page.at(-1);
      const next = last && from + limit < all.length ? { created_at: AT, id: last.id } : null;
      return Promise.resolve({ deliveries: page.map(({ endpoint_id: _e, ...view }) => view), next });
    }),
    bus.serve(contracts.resendDelivery, (request) => {
      const { endpoint_id, delivery_id } = check(request);
      const found = deliveries.get(delivery_id);
      if (found?.endpoint_id !== endpoint_id) throw notFound('delivery');
      const { endpoint_id: _e, ...view } = found;
      return Promise.resolve({ ...view, resend_pending: true });
    }),
    bus.serve(contracts.startRecovery, (request) => {
      const { since, until = AT } = check(request);
      if (until <= since) throw validationError('until', 'must be later than since');
      const id = uuidv7();
      const recovery = { id, since, until, status: 'running', recovered: 0, created_at: AT, ended_at: null };
      recoveries.set(id, recovery as RecoveryView);
      return Promise.resolve(recovery as RecoveryView);
    }),
    bus.serve(contracts.findRecovery, (request) => {
      const found = recoveries.get(check(request).recovery_id);
      if (!found) throw notFound('recovery');
      return Promise.resolve(found);
    }),
  ];
}

/** Two events of merchant m1 in test mode. */
export const events: readonly SentEvent[] = [
  makeEvent('group_payment.paid'),
  makeEvent('group_payment.partially_paid'),
];

export function makeEvent(type: EventType): SentEvent {
  return {
    id: uuidv7(),
    type,
    created: AT,
    data: {
      group_payment_id: uuidv7(),
      state: type.split('.')[1],
      is_test_mode: true,
      sequence: 5,
      occurred_at: AT,
      currency: 'EUR',
      amount_captured: 33.34,
      amount_refunded: 0,
    },
  };
}

/** Events that arrive while a test runs. */
export const arriving: SentEvent[] = [];

export function serveEvents(bus: Bus, received: object[]) {
  const of = ({ merchant_id, mode }: Owned) => (merchant_id === 'm1' && mode === 'test' ? events : []);
  const listArrivals = (owned: Owned) => {
    const own = of(owned);
    return own.length > 0 ? [...own, ...arriving] : [];
  };
  return [
    bus.serve(contracts.listEvents, (request: RequestOf<typeof contracts.listEvents>) => {
      received.push(request);
      const all = of(request);
      const from = request.after ? all.findIndex((each) => each.id === request.after?.id) + 1 : 0;
      const page = all.slice(from, from + request.limit);
      const last = page.at(-1);
      const next = last && from + request.limit < all.length ? { created_at: AT, id: last.id } : null;
      return Promise.resolve({ events: page, next });
    }),
    bus.serve(contracts.findEvent, (request) => {
      const found = of(request).find((each) => each.id === request.id);
      if (!found) throw notFound('event');
      return Promise.resolve(found);
    }),
    bus.serve(contracts.locateEvent, ({ id, ...owned }) => {
      const all = listArrivals(owned);
      const found = id === undefined ? all.at(-1) : all.find((each) => each.id === id);
      if (id !== undefined && !found) throw notFound('event');
      return Promise.resolve({ after: found ? { created_at: AT, id: found.id } : null });
    }),
    bus.serve(contracts.followEvents, (request) => {
      received.push(request);
      const { after, limit, ...owned } = request;
      const all = listArrivals(owned);
      const page = all.slice(after ? all.findIndex((each) => each.id === after.id) + 1 : 0).slice(0, limit);
      const last = page.at(-1);
      return Promise.resolve({ events: page, next: last ? { created_at: AT, id: last.id } : after });
    }),
  ];
}

function newDelivery(event_type: EventType): DeliveryView {
  const id = uuidv7();
  return {
    id,
    event_id: id,
    event_type,
    is_test_event: true,
    state: 'pending',
    resend_pending: false,
    attempt_count: 1,
    next_attempt_at: AT,
    created_at: AT,
    settled_at: null,
    attempts: [
      {
        id: uuidv7(),
        number: 1,
        trigger: 'automatic',
        ended_at: AT,
        url: 'https://shop.example.com/hooks',
        request_headers: { 'Service-Signature': '[redacted]' },
        remote_address: '203.0.113.7',
        timings: { dns_ms: 1.5, connect_ms: 2, tls_ms: null, first_byte_ms: null, total_ms: 15_000.1 },
        outcome: 'timeout',
        error_class: 'timeout',
        http_status: null,
        response_body: null,
        next_attempt_at: AT,
      },
    ],
  };
}
