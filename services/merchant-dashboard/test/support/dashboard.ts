import { randomUUID } from 'node:crypto';
import { openBus, type Bus } from '@gp/bus';
import {
  noteGateway,
  putCredentials,
  revokeSessions,
  verifyCredentials,
  type SettingsChanged,
  type ApiKeyRecord,
  type GatewayConnection,
  type LogoChanged,
  type Mode,
} from '@gp/contracts';
import { createHttpApp, listen } from '@gp/http';
import { outboxRelay } from '@gp/outbox';
import { openPg } from '@gp/pg';
import { eventually, testDatabase, testNats } from '@gp/testing';
import { sealWith } from '@gp/seal';
import { createMerchant } from '../../src/app/account/create-merchant.ts';
import type { Mail } from '../../src/app/mail/mail.ts';
import { takeEndpointFailing } from '../../src/app/mail/endpoint-notices.ts';
import { takeTrouble } from '../../src/app/mail/trouble-notices.ts';
import { openDownloads } from '../../src/app/downloads.ts';
import type { WebParts } from '../../src/app/ports.ts';
import type { Limits } from '../../src/app/account/tries.ts';
import { changeStreams } from '../../src/app/live/change-streams.ts';
import { endStreams } from '../../src/app/live/end-streams.ts';
import { hearChanges } from '../../src/bus/hear-changes.ts';
import { buildServiceCalls } from '../../src/bus/service-calls.ts';
import { subscriptions } from '../../src/bus/subscriptions.ts';
import { hashPassword, openPasswords } from '../../src/app/account/passwords.ts';
import { insertUser } from '../../src/db/users.ts';
import type { Role } from '../../src/domain/roles.ts';
import { routes } from '../../src/http/routes.ts';
import { generated } from '../generated.ts';
import { send, type Reply, type Sent } from './client.ts';

export const pepper = Buffer.alloc(32, 7);
export const encryptionKey = Buffer.alloc(32, 8).toString('base64');
export const password = 'correct horse battery';
export const schemas = [generated.schema];

/** Calls that the played adapters and the played ledger received, and their answers. */
export function playNeighbours(bus: Bus) {
  const versions = new Map<string, string[]>();
  const state = {
    put: [] as unknown[],
    noted: [] as GatewayConnection[],
    revoked: [] as unknown[],
    isReachable: true,
    verify: (): Promise<{ valid: boolean; reason: string | null }> =>
      Promise.resolve({ valid: true, reason: null }),
    /** As an adapter does: credentials entered again keep their version, others get the next one. */
    version: async (at: string, credentials: string) => {
      const known = versions.get(at) ?? [];
      if (known.at(-1) !== credentials) versions.set(at, [...known, credentials]);
      return versions.get(at)?.length ?? 0;
    },
  };
  for (const psp of ['gateway_a', 'gateway_b'] as const) {
    bus.serve(putCredentials(psp), async (request) => {
      state.put.push({ psp, ...request });
      const at = [psp, request.merchant_id, request.mode].join();
      const version = await state.version(at, JSON.stringify(request.credentials));
      return { version, verified: state.isReachable };
    });
    bus.serve(verifyCredentials(psp), () => state.verify());
  }
  const ledger = bus.serve(noteGateway, async (connection) => {
    state.noted.push(connection);
    return {};
  });
  const groups = new Map<string, number>();
  bus.serve(revokeSessions, async ({ merchant_id, mode, group_id }) => {
    const epoch = (groups.get(group_id) ?? 0) + 1;
    groups.set(group_id, epoch);
    state.revoked.push({ merchant_id, mode, group_id });
    return { epoch };
  });
  return Object.assign(state, { ledger });
}

/** The dashboard as main.ts wires it, on real Postgres and NATS, with responders in place of the other services. */
export async function openDashboard() {
  const database = await testDatabase({ schemas });
  const nats = await testNats();
  const db = await openPg({
    url: database.url('merchant'),
    name: 'dashboard',
    max: 4,
    connectTimeoutMs: 30_000,
  });
  const bus = await openBus({ servers: nats.url, name: 'dashboard' });
  const others = await openBus({ servers: nats.url, name: 'others' });
  for (const each of [bus, others]) await eventually(() => each.isConnected() || undefined);
  await others.ensureStreams();
  const services = playNeighbours(others);
  const received: (ApiKeyRecord | GatewayConnection | LogoChanged | SettingsChanged)[] = [];
  others.listen('evt.merchant.>', ({ payload }) => received.push(payload as ApiKeyRecord));
  // Answered on the same connection: the server knows all these subscriptions.
  await others.hasStreams();
  const relay = outboxRelay({ db, bus, log: { info: () => undefined, warn: () => undefined } });
  const mails: Mail[] = [];
  const limits: Limits = {
    perAccount: { most: 1_000_000, seconds: 900 },
    perAddress: { most: 1_000_000, seconds: 900 },
    perCode: { most: 1_000_000, seconds: 900 },
    perMailbox: { most: 1_000_000, seconds: 900 },
  };
  const streamLimits = { most: 100, perMerchant: 6, perUser: 4, perSession: 3 };
  const changes = changeStreams({ limits: streamLimits, paceMs: 10 });
  hearChanges(bus, changes);
  await bus.hasStreams();
  const parts: WebParts = {
    db,
    changes,
    seal: sealWith({ encryptionKey: encryptionKey }),
    mailer: { send: (mail) => void mails.push(mail) },
    mailbox: null,
    limits,
    passwords: openPasswords(),
    downloads: openDownloads(),
    addresses: {
      dashboard: 'https://dashboard.example',
      api: 'https://api.example',
      checkout: 'https://pay.example',
      sandbox: null,
    },
    sandbox: { open: async (psp) => ({ secret_key: `sk_sandbox_${psp}` }) },
    wakeRelay: () => undefined,
    services: buildServiceCalls(bus),
    pepper: { id: 'p1', key: pepper },
  };
  const queue = { put: async (_tx: unknown, mail: Mail) => void mails.push(mail) };
  const mailing = { queue, dashboard: parts.addresses.dashboard };
  const takers = { event: takeTrouble(db, mailing), endpoint: takeEndpointFailing(db, mailing) };
  const consuming = subscriptions(db, takers).map((subscription) => bus.consume(subscription));
  const server = await listen(createHttpApp({ routes: routes(parts) }), { host: '127.0.0.1', port: 0 });
  const rows = async <T extends object>(sql: string, values: unknown[] = []) =>
    (await db.pool.query<T>(sql, values)).rows;
  const ask = (method: string, path: string, o?: Sent) => send(server.port, method, path, o);
  const logIn = async (email: string, given = password): Promise<string> => {
    const { status, cookie, body } = await ask('POST', '/api/login', { body: { email, password: given } });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return cookie;
  };

  return {
    parts,
    db,
    rows,
    send: ask,
    services,
    others,
    /** Waits for `count` events and returns all events so far, as other services receive them. */
    async receive(count: number) {
      await eventually(async () => {
        await relay.runOnce(AbortSignal.timeout(10_000));
        return received.length >= count || undefined;
      });
      return received;
    },
    forget: () => void (received.length = 0),
    /** Waits until the dashboard has taken everything that was published. */
    async takeAll() {
      const published = await bus.published();
      await eventually(async () => (await bus.hasConsumed(published)) || undefined);
    },
    /** A merchant of this test's own, logged in as its owner. */
    async newMerchant() {
      const email = `${randomUUID()}@merchants.example`;
      const { merchantId } = await createMerchant({ db })({ merchant_name: 'Casa Lola', email, password });
      return buildMember(ask, { email, cookie: await logIn(email), id: merchantId });
    },
    /** Another member of a merchant, logged in. */
    async colleague(member: Pick<Member, 'id'>, role: Role) {
      const email = `${role}-${randomUUID()}@merchants.example`;
      const passwordHash = await hashPassword(password);
      await insertUser(db, { id: randomUUID(), merchantId: member.id, email, role, passwordHash });
      return buildMember(ask, { email, cookie: await logIn(email), id: member.id });
    },
    logIn,
    mails,
    /** The secret in the newest link that was mailed to an address. */
    tokenFor(email: string) {
      const mail = mails.findLast(({ to, text }) => to === email && text.includes('#token='));
      return /#token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
    },
    /** Sets limits on guessing for a test; the answer puts the usual ones back. */
    limit(o: Partial<Limits>) {
      const usual = { ...limits };
      Object.assign(limits, o);
      return () => void Object.assign(limits, usual);
    },
    /** Shows this mailbox, as a trial stack does, until the answer is called. */
    showMailbox(mailbox: WebParts['mailbox']) {
      Object.assign(parts, { mailbox });
      return () => void Object.assign(parts, { mailbox: null });
    },
    server,
    nats,
    /** Ends the live streams whose session is over, as a loop does. */
    endStreams: () => endStreams(db, changes).runOnce(AbortSignal.timeout(10_000)),
    async close() {
      await server.close(1_000);
      await relay.close();
      await Promise.all(consuming.map((consumer) => consumer.close()));
      await others.close();
      await bus.close();
      await db.close();
      await nats.stop();
      await database.drop();
    },
  };
}

type Ask = (method: string, path: string, o?: Sent) => Promise<Reply>;

/** Requests of a logged-in user. */
function buildMember(
  ask: Ask,
  who: { readonly email: string; readonly cookie: string; readonly id: string },
) {
  const { cookie } = who;
  return {
    ...who,
    get: (path: string) => ask('GET', path, { cookie }),
    post: (path: string, body?: unknown) => ask('POST', path, { cookie, body }),
    put: (path: string, body?: unknown) => ask('PUT', path, { cookie, body }),
    patch: (path: string, body?: unknown) => ask('PATCH', path, { cookie, body }),
    delete: (path: string) => ask('DELETE', path, { cookie }),
    connect: (psp_code: string, credentials: object = { secret_key: 'sk_1' }, mode: Mode = 'test') =>
      ask('POST', '/api/gateways', { cookie, body: { mode, psp_code, credentials } }),
    activate: (psp_code: string, mode: Mode = 'test') =>
      ask('PUT', '/api/gateways/active', { cookie, body: { mode, psp_code } }),
  };
}

export type Member = ReturnType<typeof buildMember>;
export type Dashboard = Awaited<ReturnType<typeof openDashboard>>;
