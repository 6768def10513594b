import { randomUUID } from 'node:crypto';
import { openBus, type Bus } from '@gp/bus';
import {
  apiKeyChanged,
  gatewayChanged,
  noteGateway,
  noteKeyExposure,
  originsChanged,
  putCredentials,
  revokeSessions,
  verifyCredentials,
  type AllowedOrigins,
  type ApiKeyRecord,
  type GatewayConnection,
  type Mode,
} from '@gp/contracts';
import { createHttpApp, listen } from '@gp/http';
import { outboxRelay } from '@gp/outbox';
import { openPg } from '@gp/pg';
import { eventually, testDatabase, testNats } from '@gp/testing';
import type { DashboardParts } from '../../src/app/ports.ts';
import { neighboursOn } from '../../src/bus/neighbours.ts';
import { subscriptions } from '../../src/bus/subscriptions.ts';
import { routes } from '../../src/http/routes.ts';
import { generated } from '../generated.ts';
import { send, type Reply, type Sent } from './client.ts';

export const pepper = Buffer.alloc(32, 7);
export const password = 'correct horse battery';
export const schemas = [generated.schema];

/** What played adapters and the played ledger were asked, and what they answer. */
export function playNeighbours(bus: Bus) {
  const versions = new Map<string, string[]>();
  const state = {
    put: [] as unknown[],
    noted: [] as GatewayConnection[],
    revoked: [] as unknown[],
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
      return { version: await state.version(at, JSON.stringify(request.credentials)) };
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

/** The dashboard as main.ts wires it, on real Postgres and NATS, among played neighbours. */
export async function openDashboard() {
  const database = await testDatabase({ schemas });
  const nats = await testNats();
  const db = await openPg({ url: database.url('merchant'), name: 'dashboard', max: 4 });
  const messages = [apiKeyChanged, gatewayChanged, noteKeyExposure, originsChanged];
  const bus = await openBus({ servers: nats.url, name: 'dashboard', messages });
  const others = await openBus({ servers: nats.url, name: 'others' });
  await others.ensureStreams();
  const neighbours = playNeighbours(others);
  const heard: (ApiKeyRecord | GatewayConnection | AllowedOrigins)[] = [];
  others.listen('evt.merchant.>', ({ payload }) => heard.push(payload as ApiKeyRecord));
  const relay = outboxRelay({ db, bus, log: { info: () => undefined, warn: () => undefined } });
  const parts: DashboardParts = {
    db,
    wakeRelay: () => undefined,
    neighbours: neighboursOn(bus),
    pepper: { id: 'p1', key: pepper },
  };
  const consuming = subscriptions(db).map((subscription) => bus.consume(subscription));
  const server = await listen(createHttpApp({ routes: routes(parts) }), { host: '127.0.0.1', port: 0 });
  const rows = async <T extends object>(sql: string, values: unknown[] = []) =>
    (await db.pool.query<T>(sql, values)).rows;
  const ask = (method: string, path: string, o?: Sent) => send(server.port, method, path, o);

  return {
    parts,
    db,
    rows,
    send: ask,
    neighbours,
    others,
    /** Every event so far, as others hear it. */
    async heard(count: number) {
      await eventually(async () => {
        await relay.runOnce(AbortSignal.timeout(10_000));
        return heard.length >= count || undefined;
      });
      return heard;
    },
    forget: () => void (heard.length = 0),
    /** A merchant of this test's own, logged in as its owner. */
    async newMerchant() {
      const email = `${randomUUID()}@merchants.example`;
      const body = { merchant_name: 'Casa Lola', email, password };
      const { status, cookie, body: answer } = await ask('POST', '/api/signup', { body });
      if (status !== 201) throw new Error(JSON.stringify(answer));
      return memberOf(ask, { email, cookie, id: String(answer['merchant_id']) });
    },
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

/** What somebody who is logged in does. */
function memberOf(ask: Ask, who: { readonly email: string; readonly cookie: string; readonly id: string }) {
  const { cookie } = who;
  return {
    ...who,
    get: (path: string) => ask('GET', path, { cookie }),
    post: (path: string, body?: unknown) => ask('POST', path, { cookie, body }),
    put: (path: string, body?: unknown) => ask('PUT', path, { cookie, body }),
    delete: (path: string) => ask('DELETE', path, { cookie }),
    connect: (psp_code: string, credentials: object = { secret_key: 'sk_1' }, mode: Mode = 'test') =>
      ask('POST', '/api/gateways', { cookie, body: { mode, psp_code, credentials } }),
    activate: (psp_code: string, mode: Mode = 'test') =>
      ask('PUT', '/api/gateways/active', { cookie, body: { mode, psp_code } }),
  };
}

export type Member = ReturnType<typeof memberOf>;
export type Dashboard = Awaited<ReturnType<typeof openDashboard>>;
