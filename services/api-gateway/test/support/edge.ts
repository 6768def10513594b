import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { openBus, type Bus } from '@gp/bus';
import { apiKeyChanged, base62, formatApiKey, publicApi, type ApiKeyRecord, type Mode } from '@gp/contracts';
import { createHttpApp, listen } from '@gp/http';
import { outboxMigrations } from '@gp/outbox';
import { migrate } from '@gp/pg';
import { sealWith } from '@gp/seal';
import { createLogger } from '@gp/telemetry';
import { ownPostgres, patientPg, testDatabase, testNats, type OwnServer } from '@gp/testing';
import { openAccess } from '../../src/app/callers/access.ts';
import { followEvents } from '../../src/app/events/follow-events.ts';
import { confirmPayment } from '../../src/app/payments/confirm-payment.ts';
import { testPayments } from '../../src/app/payments/test-payments.ts';
import { followKeys } from '../../src/app/directories/follow-changes.ts';
import { onceOnly } from '../../src/app/idempotency/once-only.ts';
import { openRequestLog } from '../../src/app/request-logs/request-log.ts';
import { requestLogs } from '../../src/app/request-logs/request-logs.ts';
import { answerRequestLogs } from '../../src/bus/answer-request-logs.ts';
import { buildServiceCalls } from '../../src/bus/service-calls.ts';
import { followChanges, subscriptions } from '../../src/bus/subscriptions.ts';
import { idempotencyStore } from '../../src/db/idempotency-keys.ts';
import { insertRequestLogs } from '../../src/db/request-logs.ts';
import { crossOrigin } from '../../src/http/request/cors.ts';
import { groupPaymentViews } from '../../src/http/group-payments/group-payment.view.ts';
import { requestLogging } from '../../src/http/request/request-logging.ts';
import { routes } from '../../src/http/routes.ts';
import type { LimitSettings } from '../../src/limits.config.ts';
import { openLimits } from '../../src/limits.ts';
import { openClient } from './client.ts';
import { fakeNeighbours } from './fakes.ts';

export const migrations = new URL('../../migrations', import.meta.url).pathname;
export const schemas = [{ schema: 'api_gateway', directories: [outboxMigrations, migrations] }];
export const pepper = Buffer.alloc(32, 7).toString('base64');
export const previousPepper = Buffer.alloc(32, 8).toString('base64');
export const encryptionKey = Buffer.alloc(32, 9).toString('base64');
export const checkoutUrl = 'https://pay.example.com';
export const docsUrl = 'https://api.example.com/docs';

/** A key and the record under which the dashboard would make it known. */
export function newKey(
  mode: Mode,
  o: Partial<ApiKeyRecord> = {},
  under = pepper,
): { key: string; record: ApiKeyRecord } {
  const key = formatApiKey(mode, base62(randomBytes(64)).slice(0, 32));
  const digest = createHmac('sha256', Buffer.from(under, 'base64')).update(key).digest('hex');
  const record = { merchant_id: 'm1', mode, key_id: randomUUID(), digest, pepper_id: 'p1', revoked_at: null };
  return { key, record: { ...record, revision: 1, ...o } };
}

/** Returns the message about a key as the dashboard publishes it. */
export function toKeyMessage(record: ApiKeyRecord) {
  const subject = `${apiKeyChanged.subject}.${record.merchant_id}`;
  return { id: randomUUID(), subject, mode: record.mode, payload: record };
}

export type Edge = Awaited<ReturnType<typeof openEdge>>;

/** Limits far above what a test asks for; a test of limits gives its own. */
export const highLimits: LimitSettings = {
  rateLimitLivePerSecond: 1_000_000,
  rateLimitLiveBurst: 1_000_000,
  rateLimitTestPerSecond: 1_000_000,
  rateLimitTestBurst: 1_000_000,
  rateLimitCreatePerSecond: 1_000_000,
  rateLimitCreateBurst: 1_000_000,
  rateLimitSessionPerSecond: 1_000_000,
  rateLimitSessionBurst: 1_000_000,
  rateLimitGroupPerSecond: 1_000_000,
  rateLimitGroupBurst: 1_000_000,
  rateLimitPayersPerSecond: 1_000_000,
  rateLimitPayersBurst: 1_000_000,
  rateLimitAddressPerSecond: 1_000_000,
  rateLimitAddressBurst: 1_000_000,
  paymentsPerSession: 1_000_000,
  paymentsPerAddress: 1_000_000,
  cardTestingDeclinesPerPayer: 1_000_000,
  cardTestingDeclinesPerGroup: 1_000_000,
  cardTestingDeclinesPerClient: 1_000_000,
  cardTestingWindowSeconds: 600,
  cardTestingBlockSeconds: 900,
  abandonedReservationsPerAddress: 1_000_000,
  abandonedReservationsWindowSeconds: 7_200,
  abandonedReservationsBlockSeconds: 3_600,
  eventStreams: 1_000_000,
  eventStreamsPerMerchant: 1_000_000,
  trustedProxies: undefined,
};

type EdgeOptions = {
  readonly ownPostgres?: boolean;
  readonly limits?: Partial<LimitSettings>;
};

/** The edge on real Postgres and NATS of its own, wired as in main.ts, with responders in place of the other services. */
export async function openEdge(o: EdgeOptions = {}) {
  const postgres = o.ownPostgres ? await ownPostgres() : undefined;
  const database = postgres ? await migrated(postgres) : await testDatabase({ schemas });
  const nats = await testNats();
  const url = database.url('api_gateway');
  const db = await patientPg({ url, name: 'edge', max: 4 });
  const bus = await openBus({ servers: nats.url, name: 'edge' });
  const others = await openBus({ servers: nats.url, name: 'others' });
  await bus.ensureStreams();
  const fakes = fakeNeighbours(others);
  let now = 0;
  const services = buildServiceCalls(askingOnce(bus));
  const peppers = [pepper, previousPepper];
  const access = openAccess({ db, services, publish: bus.publish, peppers, now: () => now });
  const { directories } = access;
  const listeners = [...followChanges(bus, directories), ...subscriptions(db).map((s) => bus.consume(s))];
  answerRequestLogs(
    { serve: (on, contract, handler) => void on.serve(contract, handler) },
    bus,
    requestLogs(db),
  );
  const cors = crossOrigin({ origins: directories.origins, home: checkoutUrl });
  const log = createLogger({ service: 'test', level: 'silent' });
  const store = idempotencyStore(db, 60_000);
  const seal = sealWith({ encryptionKey });
  const limits = openLimits({ ...highLimits, ...o.limits, apiKeyPepper: pepper }, bus, () => now);
  const requestLog = openRequestLog({ write: (rows) => insertRequestLogs(db, rows) });
  const { signal } = new AbortController();
  const sharing = setInterval(() => void limits.sharing.runOnce(signal), 20);
  const confirm = confirmPayment(services);
  const parts = {
    seal,
    admit: limits.admit,
    admitPayment: limits.admitPayment,
    admitPayer: limits.admitPayer,
    notePayment: limits.notePayment,
    admitStream: limits.admitStream,
    authenticate: access.authenticate,
    cors,
    once: onceOnly({ store, seal, log, docsUrl }),
    confirm,
    testPayments: testPayments({ services, confirm, returnUrl: `${checkoutUrl}/`, verdictWithinMs: 500 }),
    services,
    findOrganiserRights: directories.origins.findOrganiserRights,
    followEvents: followEvents({ services, pollMs: 10, heartbeatMs: 50 }),
    views: groupPaymentViews(checkoutUrl),
    requestLogs: requestLogs(db),
  };
  const trustProxy = o.limits?.trustedProxies;
  const served = [...routes(parts), ...cors.preflights(Object.values(publicApi.operations))];
  const around = requestLogging(requestLog);
  const proxies = trustProxy === undefined ? {} : { trustProxy };
  const app = createHttpApp({ routes: served, docsUrl, around, ...proxies });
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  const { key, record } = newKey('test');
  await followKeys(db)(record);
  const client = openClient(server.port, key);
  return {
    ...client,
    fakes,
    db,
    nats,
    /** Only when it has one of its own. */
    postgres,
    others,
    key,
    record,
    port: server.port,
    directories,
    /** Reports the sightings of leaked keys once. */
    reportExposures: async () => void (await access.reporters[0]?.runOnce(AbortSignal.timeout(10_000))),
    /** Writes the requests so far to the log that merchants read. */
    writeRequestLogs: () => requestLog.close(),
    /** Moves the clock by which keys are deleted and limits refill; it stands still otherwise. */
    pass: (ms: number) => (now += ms),
    /** Makes a key usable without waiting for the bus. */
    async addKey(mode: Mode, with_: Partial<ApiKeyRecord> = {}, under = pepper) {
      const made = newKey(mode, with_, under);
      await followKeys(db)(made.record);
      return made;
    },
    rows: async <T extends object>(sql: string, values: unknown[] = []) =>
      (await db.pool.query<T>(sql, values)).rows,
    /**
     * Creates a group and returns its id. A stalled machine may answer with an error that leaves open whether the group was
     * created: then the same request is sent again under the same key.
     */
    async newGroupId(body = createBody(), o: { key?: string } = {}): Promise<string> {
      const idempotencyKey = randomUUID();
      const create = () => client.post('/v1/group-payments', body, { ...o, idempotencyKey });
      let reply = await create();
      for (let tries = 1; tries < 3 && reply.status >= 500; tries++) reply = await create();
      if (reply.status !== 201) throw new Error(`no group was created: ${reply.status} ${reply.text}`);
      return (reply.body['group_payment'] as { id: string }).id;
    },
    async close() {
      client.close();
      await server.close(1_000);
      clearInterval(sharing);
      await Promise.all([...listeners, ...limits.listeners].map((closable) => closable.close()));
      await fakes.close();
      await bus.close();
      await others.close();
      await db.close();
      await nats.stop();
      await database.drop();
    },
  };
}

/**
 * A bus that asks each question once. The real one asks again after two seconds of silence, which a machine that stalls
 * makes, too: other services would receive twice what was requested once.
 */
const askingOnce = (bus: Bus): Bus => ({
  ...bus,
  call: (contract, request, o) => bus.call({ ...contract, repeatable: false }, request, o),
  coalesce: (contract, o) => bus.coalesce({ ...contract, repeatable: false }, o),
});

/** A server that one test file may take away. */
async function migrated(server: OwnServer) {
  const password = 'edge';
  const [source] = schemas;
  if (!source) throw new Error('there is a schema');
  await migrate({ url: server.url, role: source.schema, password, ...source });
  const url = new URL(server.url);
  url.username = source.schema;
  url.password = password;
  return { url: () => url.href, drop: () => server.stop() };
}

/** A create body of three equal shares; fields given replace its own, undefined removes one. */
export function createBody(o: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    group_name: 'Dinner at Mario’s',
    total_amount: 31.5,
    currency: 'EUR',
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    distribution: { type: 'equally', number_of_slots: 3 },
    ...o,
  };
}

export const card = {
  cardholder_name: 'Ada Lovelace',
  encrypted_card_number:
    'ev:Tk9D:sentinelNumberIv:AzyAK0mIsentinelsentinelsentinelsentinelq7qh:sentinelNumber4242sentinel==:$',
  expiration_month: 12,
  expiration_year: 2030,
  encrypted_security_code:
    'ev:Tk9D:sentinelCodeIvXY:AzyAK0mIsentinelsentinelsentinelsentinelq7qh:sentinelCode123sentinelXY:$',
};
