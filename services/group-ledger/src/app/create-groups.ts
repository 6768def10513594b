import { naturalBatch } from '@gp/batch';
import type { createGroup as contract, CommandOf, ResponseOf } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { currentTraceparent } from '@gp/telemetry';
import { uuidv7 } from 'uuidv7';
import { findCommand } from '../db/commands.ts';
import { insertGroups, type CreatedAt, type NewGroupRow } from '../db/create-groups.ts';
import { loadGroup } from '../db/load-group.ts';
import { createGroup, type Decision, type Group } from '../domain/index.ts';
import { failAfter, failBefore } from '../fail-points.ts';
import { scopeOf, type LedgerParts } from './change-group.ts';
import { distributionOf } from './distribution.ts';
import { timerMessage } from './messages.ts';
import { newOrderId, newPageToken } from './new-names.ts';
import { groupWithSlots } from './views.ts';

export type CreateCommand = CommandOf<typeof contract>;
type Created = ResponseOf<typeof contract>;

/** Creates a statement takes at most (measured: past 50 a statement's latency grows faster than its yield). */
const STATEMENT_SIZE = 50;
/** Two statements at a time: one commits while the next is being built. */
const STATEMENTS_IN_FLIGHT = 2;
/** What may wait; more would be answered after its callers have left. */
const MAX_QUEUED = 1_000;

/** The gateway's steps for splitting amounts (G3), by merchant and mode. */
export type UnitOf = (merchantId: string, mode: string, currency: string) => Promise<bigint>;

/**
 * Creates groups. Commands that queue while a statement runs share the next one, and every command keeps its own
 * verdict. A command that ran before answers its group again, as it is now; the same id with another input is
 * refused (Q12).
 */
export function createGroups(
  o: LedgerParts & { unitOf: UnitOf },
): (command: CreateCommand) => Promise<Created> {
  const insert = naturalBatch<NewGroupRow, CreatedAt>({
    maxSize: STATEMENT_SIZE,
    maxQueued: MAX_QUEUED,
    inFlight: STATEMENTS_IN_FLIGHT,
    overloaded: () => new AppError('service_unavailable', { retryAfterSeconds: 1 }),
    async run(rows) {
      failBefore('create');
      const createdAt = await insertGroups(o.db, rows);
      failAfter('create');
      o.wakeRelay();
      return createdAt;
    },
  });

  return async (command) => {
    const unitMinor = await o.unitOf(command.merchant_id, command.mode, command.currency);
    const row = newRow(command, decideCreate(command, unitMinor));
    const createdAt = await insert(row);
    if (createdAt === null) return repeated(o, command);
    o.log.info(
      { group_id: row.group.id, mode: command.mode, slot_count: row.group.slots.length },
      'group is open',
    );
    return { ...viewOf(row, createdAt), replayed: false };
  };
}

type NewGroup = Extract<Decision, { kind: 'accepted' }>;

function decideCreate(command: CreateCommand, unitMinor: bigint): NewGroup {
  const decision = createGroup(
    {
      id: uuidv7(),
      merchantId: command.merchant_id,
      mode: command.mode,
      currency: command.currency,
      totalMinor: BigInt(command.total_minor),
      expiresAtMs: Date.parse(command.expires_at),
      distribution: distributionOf(command.distribution, unitMinor),
    },
    { nowMs: Date.now(), newId: uuidv7 },
  );
  if (decision.kind === 'accepted') return decision;
  if (decision.kind === 'ignored') throw new AppError('internal_error');
  const { code, kind: _kind, ...data } = decision;
  throw new AppError(code, data);
}

function newRow(command: CreateCommand, decision: NewGroup): NewGroupRow {
  const { next: group } = decision;
  const traceparent = currentTraceparent();
  const telling = { group, newId: uuidv7, sandboxFault: () => null, traceOf: () => traceparent };
  const { distribution } = command;
  return {
    commandId: command.command_id,
    fingerprint: command.fingerprint,
    group,
    groupName: command.group_name,
    merchantOrderId: newOrderId(group.createdAtMs),
    pageToken: newPageToken(group.createdAtMs),
    metadata: command.metadata,
    slotMetadata:
      distribution.type === 'equally'
        ? (distribution.slot_metadata ?? [])
        : distribution.slots.map((slot) => slot.metadata),
    messages: decision.effects.flatMap((effect) =>
      effect.kind === 'timer.set' ? [timerMessage(telling, effect)] : [],
    ),
  };
}

/** The command was not taken: it ran before, or the database's clock says that its expiry is out of range. */
async function repeated(o: LedgerParts, command: CreateCommand): Promise<Created> {
  const stored = await findCommand(o.db, command.command_id);
  if (!stored) throw expiryFault(command);
  if (stored.fingerprint !== command.fingerprint) throw new AppError('idempotency_key_reused');
  const loaded = await loadGroup(o.db, { groupId: stored.group_id, scope: scopeOf(command) });
  if (!loaded) throw new AppError('idempotency_key_reused');
  return { ...groupWithSlots(loaded.group, loaded.row, loaded.slotRows), replayed: true };
}

function expiryFault({ expires_at }: CreateCommand): AppError {
  const isPast = Date.parse(expires_at) < Date.now() + 60_000;
  const reason = isPast ? 'expiry must be in the future' : 'expiry cannot be more than 7 days in the future';
  const message = `Validation error: expires_at: ${reason}`;
  return new AppError('validation_error', {
    message,
    param: 'expires_at',
    details: [{ param: 'expires_at', reason }],
  });
}

function viewOf(row: NewGroupRow, createdAt: Date) {
  const at = createdAt.toISOString();
  const group: Group = { ...row.group, createdAtMs: createdAt.getTime() };
  const stored = {
    id: group.id,
    merchant_id: group.merchantId,
    mode: group.mode,
    group_name: row.groupName,
    merchant_order_id: row.merchantOrderId,
    total_minor: Number(group.totalMinor),
    currency: group.currency,
    state: group.state,
    metadata: row.metadata as Record<string, unknown>,
    page_token: row.pageToken,
    expires_at: new Date(group.expiresAtMs).toISOString(),
    expired_at: null,
    cancelled_at: null,
    capture_stopped_at: null,
    version: 1,
    sequence: 0,
    refund_number: 0,
    created_at: at,
    updated_at: at,
  };
  const slots = group.slots.map((slot, index) => ({
    sequence_no: slot.sequenceNo,
    id: slot.id,
    amount_minor: Number(slot.amountMinor),
    state: slot.state,
    assigned_customer_id: null,
    reserved_until: null,
    intent_id: null,
    metadata: (row.slotMetadata[index] ?? null) as Record<string, unknown> | null,
    updated_at: at,
  }));
  return groupWithSlots(group, stored, slots);
}
