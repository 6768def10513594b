import { createHash, randomUUID } from 'node:crypto';
import type { Outcome } from '@gp/contracts';
import { outboxMigrations } from '@gp/outbox';
import { openPg, type Db } from '@gp/pg';
import { createLogger } from '@gp/telemetry';
import { testDatabase } from '@gp/testing';
import { uuidv7 } from 'uuidv7';
import { allocationUnits } from '../src/app/allocation-unit.ts';
import type { LedgerParts } from '../src/app/change-group.ts';
import { createGroups, type CreateCommand } from '../src/app/create-groups.ts';
import { takingTurns } from '../src/app/in-turn.ts';
import { recordOutcome } from '../src/app/record-outcome.ts';
import { reserveSlots } from '../src/app/reserve-slots.ts';
import { upsertConnection } from '../src/db/gateway-connections.ts';

const migrations = new URL('../migrations', import.meta.url).pathname;

export const scope = { merchant_id: 'm1', mode: 'test' as const };
export const digest = (text: string) => createHash('sha256').update(text).digest('hex');

export type Ledger = Awaited<ReturnType<typeof openLedger>>;

/** The ledger's use cases on a database of their own, with a merchant whose gateway_a is active. */
export async function openLedger() {
  const database = await testDatabase({
    schemas: [{ schema: 'group_ledger', directories: [outboxMigrations, migrations] }],
  });
  const open = (): Promise<Db> => openPg({ url: database.url('group_ledger'), name: 'test', max: 4 });
  const db = await open();
  const parts: LedgerParts = {
    db,
    log: createLogger({ service: 'test', level: 'silent' }),
    wakeRelay: () => undefined,
    inTurn: takingTurns(),
  };
  await connect(db, 'gateway_a', 1);
  const create = createGroups({ ...parts, unitOf: allocationUnits(db) });
  return {
    db,
    parts,
    open,
    create,
    reserve: reserveSlots(parts),
    record: recordOutcome(parts),
    /** A group of equal shares, 30.00 EUR for three unless said otherwise. */
    newGroup: (o: Partial<CreateCommand> = {}) => create(createCommand(o)),
    rows: async <T extends object>(sql: string, values: unknown[] = []) =>
      (await db.pool.query<T>(sql, values)).rows,
    async close() {
      await db.close();
      await database.drop();
    },
  };
}

export async function connect(db: Db, psp_code: 'gateway_a' | 'gateway_b', revision: number): Promise<void> {
  await upsertConnection(db, { ...scope, psp_code, version: 1, active: true, revoked_at: null, revision });
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

export function reserveRequest(group_id: string, email: string, slot_ids?: readonly string[]) {
  return {
    ...scope,
    command_id: digest(randomUUID()),
    fingerprint: digest('pay'),
    group_id,
    customer_email: email,
    ...(slot_ids && { slot_ids: [...slot_ids] }),
  };
}

type Reserved = Awaited<ReturnType<Ledger['reserve']>>;

/** What gateway_a would say about the hold of a reservation. */
export function authorised(reserved: Reserved, o: Partial<Outcome> = {}): Outcome {
  const { intent, attempt } = reserved;
  return {
    message_id: uuidv7(),
    ...scope,
    group_id: intent.group_id,
    intent_id: intent.id,
    attempt_id: attempt?.id ?? null,
    operation: 'authorise',
    operation_id: attempt?.id ?? null,
    source: 'callback',
    psp_code: intent.psp_code,
    psp_reference: `pi_${intent.id.slice(-6)}`,
    status: 'authorised',
    amount_minor: intent.amount_minor,
    currency: intent.currency,
    capture_before: new Date(Date.now() + 6 * 24 * 3_600_000).toISOString(),
    failure: null,
    observed_at: new Date().toISOString(),
    ...o,
  };
}
