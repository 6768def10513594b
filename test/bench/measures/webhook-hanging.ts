import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openBus, type Bus } from '@gp/bus';
import { publicEventSubject, type PublicEvent } from '@gp/contracts';
import { uuidv7 } from 'uuidv7';
import { send } from '../../support/api.ts';
import type { Bench } from '../bench.ts';
import { openLoop } from '../load/open-loop.ts';
import { ratios, round, spreadOf, type Figure } from '../ratios.ts';

/** 5 % of the endpoints hang. */
const HEALTHY = 38;
const HANGING = 2;
const MOST_TRIES = 5;
/** Each is sent to all endpoints. */
const EVENTS_PER_SECOND = 5;

/**
 * From the moment an event should have been published to its arrival at each healthy endpoint, while 5 % of the
 * endpoints take requests and never answer, against the same without them. Phases take turns; each has hanging
 * endpoints that nothing is known of.
 */
export async function measureHangingWebhooks({
  stack,
  merchant,
  rounds,
  seconds,
  say,
}: Bench): Promise<Figure[]> {
  const http: Endpoints = { url: `${stack.api}/v1/webhooks`, key: merchant.test_key };
  const bus = await openBus({ servers: stack.nats, name: 'bench' });
  const healthy = await openServer(true);
  const endpoints = await register(http, healthy.url, HEALTHY);
  const p99: Record<'without' | 'with', number[]> = { without: [], with: [] };
  try {
    const phase = () => onTime(() => run({ bus, healthy, seconds, merchantId: merchant.merchant_id }), say);
    await phase();
    for (let turn = 0; turn < rounds; turn++) {
      p99.without.push(await phase());
      const hole = await openServer(false);
      const hanging = await register(http, hole.url, HANGING);
      p99.with.push(await phase());
      await remove(http, hanging);
      await hole.close();
      say(`p99 ${p99.without.at(-1)} ms without, ${p99.with.at(-1)} ms with endpoints that hang`);
    }
  } finally {
    await remove(http, endpoints);
    await healthy.close();
    await bus.close();
  }
  const ratio = ratios(p99.with, p99.without);
  return [
    {
      id: 'B12h',
      what: 'event → healthy endpoint, p99 with 5 % of endpoints hanging / without',
      value: `${round(ratio.median)} (${round(ratio.min)}–${round(ratio.max)})`,
      goal: '0.9–1.1',
      reached: ratio.median <= 1.1,
      detail: { without_ms: spreadOf(p99.without).median, with_ms: spreadOf(p99.with).median },
    },
  ];
}

/** Repeats a phase whose own schedule slipped: then the generator was measured. */
async function onTime(phase: () => Promise<number>, say: Bench['say']): Promise<number> {
  for (let tries = 1; ; tries++) {
    try {
      return await phase();
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
      say(`repeated: ${String(error)}`);
    }
  }
}

type Receiver = Awaited<ReturnType<typeof openServer>>;

/** Publishes at a fixed rate and answers the p99 over all deliveries to healthy endpoints, ms. */
async function run(o: { bus: Bus; healthy: Receiver; seconds: number; merchantId: string }): Promise<number> {
  const startedAt = performance.now() + 50;
  const delays: number[] = [];
  const waiting = new Map<string, { dueAt: number; left: number; done: () => void }>();
  o.healthy.onEvent((id) => {
    const event = waiting.get(id);
    if (!event) return;
    delays.push(performance.now() - event.dueAt);
    if (--event.left === 0) event.done();
  });
  await openLoop({
    perSecond: EVENTS_PER_SECOND,
    seconds: o.seconds,
    send: async (index) => {
      const event = newEvent(o.merchantId);
      const dueAt = startedAt + (index / EVENTS_PER_SECOND) * 1_000;
      const heard = new Promise<void>((done) => waiting.set(event.id, { dueAt, left: HEALTHY, done }));
      const subject = publicEventSubject(event.type, event.group_id);
      await o.bus.publish({ id: event.id, subject, payload: event, mode: event.mode });
      await heard;
      return true;
    },
  });
  delays.sort((a, b) => a - b);
  return round(delays[Math.floor(delays.length * 0.99)] ?? NaN, 1);
}

function newEvent(merchant_id: string): PublicEvent {
  const group_id = uuidv7();
  return {
    id: uuidv7(),
    type: 'group_payment.paid',
    created: new Date().toISOString(),
    merchant_id,
    mode: 'test',
    group_id,
    sequence: 1,
    data: { group_payment_id: group_id, state: 'paid', is_test_mode: true, sequence: 1 },
  };
}

type Endpoints = { readonly url: string; readonly key: string };
const auth = ({ key }: Endpoints) => ({ authorization: `Bearer ${key}` });

async function register(http: Endpoints, url: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const { status, body } = await send(
      'POST',
      http.url,
      { url, event_types: ['group_payment.paid'] },
      auth(http),
    );
    if (status !== 201) throw new Error(`no endpoint: ${JSON.stringify(body)}`);
    ids.push(String(body['id']));
  }
  return ids;
}

async function remove(http: Endpoints, ids: readonly string[]): Promise<void> {
  for (const id of ids) await send('DELETE', `${http.url}/${id}`, undefined, auth(http));
}

/** A merchant's server that answers at once, or one that takes requests and never answers. */
async function openServer(answers: boolean) {
  let onEvent = (_id: string): void => undefined;
  const server: Server = createServer((request, response) => {
    onEvent(String(request.headers['service-event-id']));
    request.resume();
    if (answers) request.on('end', () => response.writeHead(204).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    onEvent: (listener: (id: string) => void) => void (onEvent = listener),
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
