import { createHash, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { changeTimers, type TimerInstruction } from '@gp/contracts';
import type { GatewayConnection, TimerFired } from '@gp/contracts';
import { outboxMigrations } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { createLogger } from '@gp/telemetry';
import { patientPg, testDatabase } from '@gp/testing';
import { uuidv7 } from 'uuidv7';
import { allocationUnits } from '../src/app/groups/allocation-unit.ts';
import { beginAuthorisation } from '../src/app/payments/begin-authorisation.ts';
import { cancelGroup } from '../src/app/groups/cancel-group.ts';
import type { LedgerParts } from '../src/app/change/change-group.ts';
import { createGroups, type CreateCommand } from '../src/app/groups/create-groups.ts';
import { findGroup, findGroupByPageToken, findIntent, listGroups } from '../src/app/groups/find-groups.ts';
import { fireTimer } from '../src/app/timers/fire-timer.ts';
import { followGateways, noteGateway } from '../src/app/gateways/follow-gateways.ts';
import { takingTurns } from '../src/app/change/in-turn.ts';
import { findRefund } from '../src/app/refunds/find-refund.ts';
import { openRefund } from '../src/app/refunds/open-refund.ts';
import { recordOutcome } from '../src/app/payments/record-outcome.ts';
import { hideName } from '../src/app/payments/hide-name.ts';
import { releaseIntent } from '../src/app/payments/release-intent.ts';
import { reserveSlots } from '../src/app/payments/reserve-slots.ts';
import { findViolations } from './invariants.ts';

export const migrations = new URL('../migrations', import.meta.url).pathname;

export const scope = { merchant_id: 'm1', mode: 'test' as const };
export const digest = (text: string) => createHash('sha256').update(text).digest('hex');

/** One running copy of the ledger: two of them on one database race like two processes do. */
export async function openReplica(url: string, o: Partial<LedgerParts> = {}) {
  const db = await patientPg({ url, name: 'test', max: 4 });
  const log = createLogger({ service: 'test', level: 'silent' });
  const parts: LedgerParts = {
    db,
    log,
    wakeRelay: () => undefined,
    wakeReconciliation: () => undefined,
    inTurn: takingTurns(),
    publishChange: () => undefined,
    ...o,
  };
  return {
    db,
    parts,
    create: createGroups({ ...parts, findAmountUnit: allocationUnits(db) }),
    reserve: reserveSlots(parts),
    hideName: hideName(parts),
    release: releaseIntent(parts),
    begin: beginAuthorisation(parts),
    record: recordOutcome(parts),
    refund: openRefund(parts),
    findRefund: findRefund(db),
    cancel: cancelGroup(parts),
    find: findGroup(db),
    findByPageToken: findGroupByPageToken(db),
    findIntent: findIntent(db),
    list: listGroups(db),
    fire: fireTimer(parts),
    follow: followGateways(parts),
    note: noteGateway(parts),
  };
}

export type Replica = Awaited<ReturnType<typeof openReplica>>;

async function openLedger() {
  const database = await testDatabase({
    schemas: [{ schema: 'group_ledger', directories: [outboxMigrations, migrations] }],
  });
  const replica = await openReplica(database.url('group_ledger'));
  const replicas = [replica];
  await replica.note(connection({ psp_code: 'gateway_a' }));
  return {
    ...replica,
    ...questions(replica.db),
    /** Another process with the same database. */
    async replica() {
      const other = await openReplica(database.url('group_ledger'));
      replicas.push(other);
      return other;
    },
    /** A group of equal shares, 30.00 EUR for three unless said otherwise. */
    newGroup: (o: Partial<CreateCommand> = {}) => replica.create(createCommand(o)),
    database: database,
    async close() {
      for (const each of replicas) await each.db.close();
      await database.drop();
    },
  };
}

export type Ledger = Awaited<ReturnType<typeof openLedger>>;

/**
 * The ledger's use cases on a database of the test file's own, with a merchant whose gateway_a is active. After every
 * test all promises of the ledger are checked.
 */
export function useLedger(): Ledger {
  const ledger = {} as Ledger;
  beforeAll(async () => void Object.assign(ledger, await openLedger()));
  afterEach(async () => expect(await findViolations(ledger.db.pool)).toEqual([]));
  afterAll(() => ledger.close?.());
  return ledger;
}

/** Queries that a test sends to the database itself. */
function questions(db: Db) {
  const rows = async <T extends object>(sql: string, values: unknown[] = []) =>
    (await db.pool.query<T>(sql, values)).rows;
  return {
    rows,
    count: async (sql: string, values: unknown[] = []) =>
      Number((await rows<{ n: bigint }>(`select count(*) as n from ${sql}`, values))[0]?.n),
    readState: async (groupId: string) =>
      (await rows<{ state: string }>('select state from groups where id = $1', [groupId]))[0]?.state,
    /** Returns the payloads of the messages about a group on subjects like this one, in order. */
    listMessages: async <T = Record<string, unknown>>(groupId: string, subject: string) =>
      (
        await rows<{ payload: T }>(
          'select payload from outbox where group_key = $1 and subject like $2 order by position',
          [groupId, subject],
        )
      ).map((row) => row.payload),
    /** Returns the messages to the scheduler about the timers whose key or data name this group, in order. */
    timers: async (groupId: string) =>
      (
        await rows<{ instruction: TimerInstruction }>(
          `select i.instruction
           from outbox, jsonb_array_elements(payload -> 'instructions') with ordinality as i (instruction, place)
           where subject = $1 and (group_key = $2 or i.instruction #>> '{timer,data,group_id}' = $2)
           order by position, place`,
          [changeTimers.subject, groupId],
        )
      ).map((row) => row.instruction),
    /** Lets the group's expiry be over, as waiting would. */
    passExpiry: (groupId: string) =>
      db.pool.query(`update groups set expires_at = clock_timestamp() - interval '1 second' where id = $1`, [
        groupId,
      ]),
  };
}

export function connection(o: Partial<GatewayConnection> = {}): GatewayConnection {
  return { ...scope, psp_code: 'gateway_a', version: 1, active: true, revoked_at: null, revision: 1, ...o };
}

export function createCommand(o: Partial<CreateCommand> = {}): CreateCommand {
  return {
    ...scope,
    command_id: digest(randomUUID()),
    fingerprint: digest('create'),
    group_name: 'Dinner',
    total_minor: '3000',
    currency: 'EUR',
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    metadata: {},
    distribution: { type: 'equally', number_of_slots: 3 },
    ...o,
  };
}

type ReserveRequest = Parameters<Replica['reserve']>[0];

export function reserveRequest(
  group_id: string,
  customer_email: string,
  slot_ids?: readonly string[],
  o: Partial<ReserveRequest> = {},
): ReserveRequest {
  return {
    ...scope,
    command_id: digest(randomUUID()),
    fingerprint: digest('pay'),
    group_id,
    customer_email,
    ...(slot_ids && { slot_ids: [...slot_ids] }),
    ...o,
  };
}

/** A timer of the group as the scheduler fires it. */
export function dueTimer(
  kind: string,
  group_id: string,
  data: Record<string, unknown> = {},
): [TimerFired, string] {
  const timer = {
    ...scope,
    owner: 'ledger',
    key: `${kind}:test`,
    revision: 1,
    kind,
    due_at: new Date().toISOString(),
    data: { intentId: null, attemptId: null, step: 0, ...data, group_id },
  };
  return [timer, uuidv7()];
}

/** Results of many calls at the same time: the answers, and the codes of the refusals. */
export async function settleAll<T>(tries: readonly Promise<T>[]): Promise<{ answers: T[]; codes: string[] }> {
  const settled = await Promise.allSettled(tries);
  return {
    answers: settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
    codes: settled.flatMap((each) =>
      each.status === 'rejected' ? [(each.reason as { code?: string }).code ?? String(each.reason)] : [],
    ),
  };
}
