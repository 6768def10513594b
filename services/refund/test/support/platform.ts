import { createHash, randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { openBus, type Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import type { Outcome, PspCode, RequestOf } from '@gp/contracts';
import { outboxMigrations } from '@gp/outbox';
import { createLogger } from '@gp/telemetry';
import { createOperator, eventually, patientPg, runProgram, testDatabase, testNats } from '@gp/testing';
import { openRefundUpdates } from '../../src/app/refund-updates.ts';
import { requestRefund } from '../../src/app/request-refund.ts';
import { callLedger } from '../../src/bus/neighbours.ts';
import { listenForUpdates, subscriptions } from '../../src/bus/subscriptions.ts';
import { playGateways } from './gateways.ts';

const local = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const ledgerMain = local('../group-ledger/src/main.ts');
export const refundMain = local('src/main.ts');

export const scope = { merchant_id: 'm1', mode: 'test' as const };
export const digest = (text: string) => createHash('sha256').update(text).digest('hex');

type Refund = RequestOf<typeof contracts.requestRefund>;
/** One payment of a group: its gateway, and how many slots it covers. */
export type Payer = { readonly psp: PspCode; readonly slots?: number };
export type Paid = { readonly id: string; readonly slots: string[]; readonly intents: string[] };

export type Platform = Awaited<ReturnType<typeof openPlatform>>;

/** How long gateways are waited for that answer: longer than a test may take, so that only their answer ends it. */
const PATIENCE_MS = 300_000;
/** And those that never do. */
const IMPATIENCE_MS = 200;

/**
 * Refund as `main.ts` wires it on real Postgres and NATS, beside a real ledger in a process of its own. The gateways are
 * played: they capture every order, and refund as the test sets.
 */
export async function openPlatform() {
  const schemas = ['refund', 'group-ledger'].map((service) => ({
    schema: service.replace('-', '_'),
    directories: [outboxMigrations, local(`../${service}/migrations`)],
  }));
  const database = await testDatabase({ schemas });
  const nats = await testNats();
  const { person, signer } = createOperator('olga');
  const ledger = runProgram(ledgerMain, [], {
    DATABASE_URL: database.url('group_ledger'),
    NATS_URL: nats.url,
    METRICS_PORT: '0',
    LOG_LEVEL: 'error',
    FIRST_OPERATOR: `${person.name}:${person.key}`,
  });
  const others = await openBus({ servers: nats.url, name: 'others', operator: signer });
  await others.ensureStreams();
  const gateways = playGateways(others);
  const at = { url: database.url('refund'), nats: nats.url };
  const refunds = await openRefund({ ...at, answerWithinMs: PATIENCE_MS });
  const impatient = await openRefund({ ...at, answerWithinMs: IMPATIENCE_MS });
  await eventually(() => others.call(contracts.noteGateway, connection('gateway_a', 1)).then(() => true));
  return {
    ...refunds,
    gateways,
    others,
    env: { DATABASE_URL: database.url('refund'), NATS_URL: nats.url, METRICS_PORT: '0' },
    /** Another process of refund on the same database. */
    replica: () => openRefund({ ...at, answerWithinMs: PATIENCE_MS }),
    /**
     * The same refund with a process that waits for the gateways hardly longer than they take to reach these statuses.
     * Until then no process waits: the ledger opens the refund, as for a process that died then.
     */
    async refundAfter(request: Refund, statuses: readonly contracts.RefundPart['status'][]) {
      const { refund_id } = await others.call(contracts.openRefund, request);
      const asked = { ...scope, group_id: request.group_id, refund_id };
      await eventually(async () => {
        const { parts } = await others.call(contracts.findRefund, asked);
        return parts.every(({ status }, index) => status === statuses[index]) || undefined;
      });
      return impatient.refund(request);
    },
    pay: (payers: readonly Payer[]) => paidGroup(others, payers),
    readGroupState: async (id: string) =>
      (await others.call(contracts.findGroup, { ...scope, group_id: id })).group.state,
    async close() {
      await Promise.all([refunds.close(), impatient.close()]);
      await gateways.close();
      await others.close();
      ledger.child.kill('SIGTERM');
      await ledger.ended;
      await nats.stop();
      await database.drop();
    },
  };
}

async function openRefund(o: { url: string; nats: string; answerWithinMs: number }) {
  const db = await patientPg({ url: o.url, name: 'test', max: 4 });
  const bus = await openBus({
    servers: o.nats,
    name: 'refund',
  });
  const updates = openRefundUpdates();
  const log = createLogger({ service: 'test', level: 'silent' });
  const { answerWithinMs } = o;
  const run = requestRefund({ db, log, ledger: callLedger(bus), updates, answerWithinMs });
  const hearing = [listenForUpdates(bus, updates), ...subscriptions(db).map((each) => bus.consume(each))];
  return {
    db,
    refund: (request: Refund) => run(request, { deadline: Date.now() + 2 * PATIENCE_MS }),
    rows: async <T extends object>(sql: string, values: unknown[] = []) =>
      (await db.pool.query<T>(sql, values)).rows,
    async close() {
      await Promise.all(hearing.map((each) => each.close()));
      await bus.close();
      await db.close();
    },
  };
}

/** A refund of the group, or of these slots, as the edge asks for it. */
export function buildRefund(group_id: string, slot_ids?: readonly string[], command = randomUUID()): Refund {
  return {
    ...scope,
    command_id: digest(command),
    fingerprint: digest(JSON.stringify([group_id, slot_ids])),
    group_id,
    ...(slot_ids && { slot_ids: [...slot_ids] }),
    source: 'api',
  };
}

let revision = 1;
function connection(psp_code: PspCode, version: number) {
  revision += 1;
  return { ...scope, psp_code, version, active: true, revoked_at: null, revision };
}

/** A group that was paid in full, one payer after the other. */
async function paidGroup(bus: Bus, payers: readonly Payer[]): Promise<Paid> {
  const count = payers.reduce((sum, { slots = 1 }) => sum + slots, 0);
  const group = await newGroup(bus, count);
  const slots = group.slots.map(({ id }) => id);
  const left = [...slots];
  const intents: string[] = [];
  for (const [index, { psp, slots: covered = 1 }] of payers.entries()) {
    await bus.call(contracts.noteGateway, connection(psp, 1));
    const reserved = await bus.call(contracts.reserveSlots, {
      ...scope,
      command_id: digest(randomUUID()),
      fingerprint: digest('pay'),
      group_id: group.group.id,
      customer_email: `payer${index}@payers.example`,
      slot_ids: left.splice(0, covered),
    });
    const { intent } = reserved;
    const { attempt } = reserved.attempt
      ? reserved
      : await bus.call(contracts.beginAuthorisation, { ...scope, intent_id: intent.id });
    await bus.call(contracts.recordOutcome, authorised(intent, attempt?.id ?? ''));
    intents.push(intent.id);
  }
  await eventually(async () => {
    const { group: now } = await bus.call(contracts.findGroup, { ...scope, group_id: group.group.id });
    return now.state === 'paid' || undefined;
  });
  return { id: group.group.id, slots, intents };
}

function newGroup(bus: Bus, number_of_slots: number) {
  const create = bus.coalesce(contracts.createGroup);
  const command = {
    ...scope,
    command_id: digest(randomUUID()),
    fingerprint: digest('create'),
    group_name: 'Dinner',
    total_minor: String(number_of_slots * 1_000),
    currency: 'EUR',
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    metadata: {},
    distribution: { type: 'equally' as const, number_of_slots },
  };
  return create(command, { deadline: Date.now() + 5_000 });
}

function authorised(intent: contracts.IntentView, attempt_id: string): Outcome {
  return {
    message_id: randomUUID(),
    ...scope,
    group_id: intent.group_id,
    intent_id: intent.id,
    attempt_id,
    operation: 'authorise',
    operation_id: attempt_id,
    source: 'callback',
    psp_code: intent.psp_code,
    psp_reference: `ref_${intent.id}`,
    status: 'authorised',
    amount_minor: intent.amount_minor,
    currency: intent.currency,
    capture_before: new Date(Date.now() + 86_400_000).toISOString(),
    failure: null,
    observed_at: new Date().toISOString(),
  };
}
