import { randomBytes } from 'node:crypto';
import { EVENT_TYPES, type EventType, type PublicEvent } from '@gp/contracts';
import { outboxMigrations } from '@gp/outbox';
import { openPg, type Db } from '@gp/pg';
import { sealWith, type Seal } from '@gp/seal';
import type { PassResult } from '@gp/service';
import { createLogger, type Logger } from '@gp/telemetry';
import { testDatabase } from '@gp/testing';
import { uuidv7 } from 'uuidv7';
import { changeEndpoint, removeEndpoint } from '../../src/app/endpoints/change-endpoint.ts';
import { createEndpoint } from '../../src/app/endpoints/create-endpoint.ts';
import { dispatcher, type DispatcherSettings } from '../../src/app/dispatcher.ts';
import type { Dispatcher } from '../../src/app/deliveries/dispatch-deliveries.ts';
import { findEvent, listEvents } from '../../src/app/events/find-events.ts';
import { followEvents, locateEvent } from '../../src/app/events/follow-events.ts';
import { listDeliveries } from '../../src/app/deliveries/list-deliveries.ts';
import {
  findRecovery,
  recoverDeliveries,
  startRecovery,
} from '../../src/app/recoveries/recover-deliveries.ts';
import { resendDelivery } from '../../src/app/deliveries/resend-delivery.ts';
import { keepPartitions } from '../../src/app/retention.ts';
import { rollSecret } from '../../src/app/endpoints/roll-secret.ts';
import { sendTestEvent } from '../../src/app/events/send-test-event.ts';
import { settleClosedLanes } from '../../src/app/lanes/settle-closed-lanes.ts';
import { takeEvent } from '../../src/app/events/take-event.ts';
import { NO_CLAIM } from '../../src/db/events.ts';
import { eventHandler } from '../../src/bus/event.handler.ts';
import type { LanePolicy } from '../../src/domain/lane.ts';
import { openPoster, type PosterOptions } from '../../src/outbound/post.ts';

export const migrations = new URL('../../migrations', import.meta.url).pathname;
export const schemas = [{ schema: 'webhooks', directories: [outboxMigrations, migrations] }];
export const encryptionKey = randomBytes(32).toString('base64');
export const scope = { merchant_id: 'm1', mode: 'test' as const };

export type DeliveryRow = {
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly sequence: number;
  readonly status: string;
  readonly attempts: number;
  readonly due_at: Date | null;
};

/** The dispatcher's parts over a real database, driven by the test. */
export type World = {
  readonly db: Db;
  readonly url: string;
  readonly lines: Record<string, unknown>[];
  endpoint(url: string, o?: Partial<Parameters<ReturnType<typeof createEndpoint>>[0]>): Promise<Endpoint>;
  change(id: string, change: object): Promise<void>;
  remove(id: string): Promise<void>;
  /** Requests of merchants beyond those for their endpoints. */
  readonly manage: Manage;
  /** Makes dispatchers that are started from now on open secrets with this seal. */
  openWith(other: Seal): void;
  /** Makes steps of recoveries until none is due. */
  recover(step?: number): Promise<void>;
  /** Makes one such step. */
  step(step: number): Promise<PassResult>;
  /** Publishes these events as the ledger does. */
  publish(...events: PublicEvent[]): Promise<void>;
  /** A dispatcher that runs until the world is closed or `stop` is called. */
  dispatch(
    o?: Partial<DispatcherSettings> & { lanePolicy?: Partial<LanePolicy>; poster?: Partial<PosterOptions> },
  ): Running;
  /** Makes everything due that waits in this status: the next step of a schedule, or the end of a lost claim. */
  hurry(status: 'pending' | 'sending'): Promise<void>;
  /** Stops every dispatcher. */
  stopAll(): Promise<void>;
  settle(): Promise<void>;
  deliveries(): Promise<DeliveryRow[]>;
  attempts(): Promise<Record<string, unknown>[]>;
  /** Runs SQL as the owner of the schema. */
  asOwner(sql: string): Promise<unknown>;
  clear(): Promise<void>;
  close(): Promise<void>;
};
export type Manage = ReturnType<typeof managing>;
export type Endpoint = { readonly id: string; readonly secret: string };
export type Running = { readonly dispatch: Dispatcher; stop(): Promise<void> };

export async function openWorld(): Promise<World> {
  const database = await testDatabase({ schemas });
  const url = database.url('webhooks');
  const db = await openPg({ url, name: 'test', max: 6, connectTimeoutMs: 30_000 });
  await keepPartitions(db);
  let seal = sealWith({ encryptionKey });
  const lines: Record<string, unknown>[] = [];
  const log = logInto(lines);
  const create = createEndpoint({ db, seal });
  const settling = settleClosedLanes(db);
  const changing = { db, onLaneChanged: () => undefined };
  const change = changeEndpoint(changing);
  const remove = removeEndpoint(changing);
  const running = new Set<Running>();
  const handle = eventHandler(
    takeEvent({
      db,
      // The dispatcher that was started first takes the events, as the replica does that a message is delivered to.
      claimAtOnce: (store) => [...running][0]?.dispatch.claimAtOnce(store) ?? store(NO_CLAIM),
      wake: () => wake(),
    }),
  );
  const wake = (): void => running.forEach((each) => each.dispatch.wake());
  const step = (count: number) =>
    recoverDeliveries({ db, onRecovered: () => wake(), pace: { step: count, pauseMs: 0 } }).runOnce(
      new AbortController().signal,
    );
  const asOwner = (sql: string) => database.asOwner('webhooks', sql);
  const rows = async <T>(text: string) => (await db.pool.query(text)).rows as T[];

  return {
    db,
    asOwner,
    url,
    lines,
    endpoint: (to, o) => create({ ...scope, url: to, description: null, event_types: [], ...o }),
    change: async (id, given) => void (await change({ ...scope, id, ...given })),
    remove: async (id) => void (await remove({ ...scope, id })),
    manage: managing(db, seal, () => wake()),
    openWith: (other) => void (seal = other),
    async recover(count = 100) {
      while ((await step(count)) === 'busy');
    },
    step,
    async publish(...events) {
      await Promise.all(events.map((payload) => handle(payload, toMessage(payload))));
    },
    dispatch(o = {}) {
      const poster = openPoster({
        policy: { allowLoopback: true },
        deadlineMs: o.deadlineMs ?? settings.deadlineMs,
        connectTimeoutMs: CONNECT_TIMEOUT_MS,
        ...o.poster,
      });
      const config = { ...settings, ...o };
      const dispatch = dispatcher({
        db,
        log,
        seal,
        poster,
        config,
        ...(o.lanePolicy && { lanePolicy: o.lanePolicy }),
      });
      const loop = runLoop(dispatch);
      const one: Running = {
        dispatch,
        async stop() {
          if (!running.delete(one)) return;
          await loop.stop();
          await dispatch.close();
          await poster.close();
        },
      };
      running.add(one);
      return one;
    },
    async hurry(status) {
      await makeDue(db, status);
      wake();
    },
    stopAll: async () => void (await Promise.all([...running].map((each) => each.stop()))),
    async settle() {
      while ((await settling.runOnce(new AbortController().signal)) === 'busy');
    },
    deliveries: () => rows<DeliveryRow>('select * from deliveries order by endpoint_id, sequence'),
    attempts: () => rows('select * from attempts order by id'),
    async clear() {
      await Promise.all([...running].map((each) => each.stop()));
      lines.length = 0;
      await asOwner(
        'truncate events, arrivals, deliveries, attempts, lanes, endpoints, endpoint_failures, retired_secrets, recoveries, dead_letters, outbox',
      );
    },
    async close() {
      await Promise.all([...running].map((each) => each.stop()));
      await db.close();
      await database.drop();
    },
  };
}

function managing(db: Db, seal: Seal, wake: () => void) {
  return {
    roll: rollSecret({ db, seal }),
    list: listDeliveries(db),
    resend: resendDelivery({ db, wake }),
    test: sendTestEvent({ db, wake }),
    startRecovery: startRecovery({ db, wake }),
    findRecovery: findRecovery(db),
    events: listEvents(db),
    event: findEvent(db),
    locate: locateEvent(db),
    follow: followEvents(db),
  };
}

/** Makes every delivery of this status due, and its lane. */
export async function makeDue(db: Db, status: 'pending' | 'sending'): Promise<void> {
  await db.pool.query(
    `update deliveries set due_at = clock_timestamp() - interval '1 minute' where status = $1`,
    [status],
  );
  await db.pool.query(`update lanes set due_at = clock_timestamp() - interval '1 minute'`);
}

/** No receiver here takes long, but a busy machine may: nothing ends in time that is not meant to. */
export const CONNECT_TIMEOUT_MS = 20_000;

/** Fast enough to climb the whole schedule in a test. */
export const settings: DispatcherSettings = {
  maxInFlight: 100,
  laneCap: 10,
  deadlineMs: 30_000,
  leaseMs: 60_000,
  pollIntervalMs: 20,
  retryLadderMs: '10,20,30,40,50,60',
};

export const newGroup = (): string => uuidv7();

export function makeEvent(o: Partial<PublicEvent> = {}): PublicEvent {
  const group_id = o.group_id ?? newGroup();
  const type: EventType = o.type ?? 'group_payment.paid';
  return {
    id: uuidv7(),
    type,
    created: new Date().toISOString(),
    ...scope,
    group_id,
    sequence: 1,
    data: { group_payment_id: group_id, state: 'paid', amount: 33.34 },
    ...o,
  };
}

/** Events of one group, in the order the ledger emits them. */
export function groupEvents(count: number, o: Partial<PublicEvent> = {}): PublicEvent[] {
  const group_id = newGroup();
  return Array.from({ length: count }, (_, at) =>
    makeEvent({ group_id, sequence: at + 1, type: EVENT_TYPES[at % EVENT_TYPES.length]!, ...o }),
  );
}

export function toMessage(payload: PublicEvent, traceparent?: string) {
  return {
    id: payload.id,
    subject: `evt.ledger.${payload.type}.v1.${payload.group_id}`,
    payload,
    deliveryCount: 1,
    working: () => undefined,
    ...(traceparent && { traceparent }),
  };
}

function logInto(lines: Record<string, unknown>[]): Logger {
  const write = (text: string): void => void lines.push(JSON.parse(text) as Record<string, unknown>);
  return createLogger({ service: 'test', level: 'debug', stream: { write } });
}

/** The service's loop without its logs: passes until it is stopped, pauses that can be ended. */
function runLoop(dispatch: Dispatcher): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let awake = Promise.withResolvers<void>();
  dispatch.onWake?.(() => awake.resolve());
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      awake = Promise.withResolvers();
      if ((await dispatch.runOnce(stopping.signal)) === 'busy') continue;
      const poll = setTimeout(awake.resolve, dispatch.idleMs);
      await awake.promise;
      clearTimeout(poll);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      awake.resolve();
      await running;
    },
  };
}
