import { naturalBatch } from '@gp/primitives';
import type { createGroup as contract, CommandOf, ResponseOf } from '@gp/contracts';
import { AppError, documentedTexts, validationError } from '@gp/errors';
import { findCommand } from '../../db/commands.ts';
import type { NewGroupRow } from '../../db/group/create-groups.ts';
import { toOrganiser } from '../../db/group/group.row.ts';
import { loadGroup } from '../../db/group/load-group.ts';
import { isLatestCut } from '../../domain/index.ts';
import { failAfter, failBefore } from '../../fail-points.ts';
import { toScope, type LedgerParts } from '../change/change-group.ts';
import { insertInBatch, type Inserted } from './insert-groups.ts';
import { countNewGroup } from '../change/measured.ts';
import { findClock, isExpiryFault, withClockHint } from './clock-hint.ts';
import { newGroupRow } from './new-group-row.ts';
import { newNames, type NewNames } from './new-names.ts';
import { groupWithSlots } from './views.ts';

export type CreateCommand = CommandOf<typeof contract>;
type Created = ResponseOf<typeof contract>;

/** Creates a statement takes at most (measured: past 50 a statement's latency grows faster than its yield). */
const STATEMENT_SIZE = 50;
/** Two statements at a time: one commits while the next is being built. */
const STATEMENTS_IN_FLIGHT = 2;
/** The most commands that may wait; more would get their replies after the callers have left. */
const MAX_QUEUED = 1_000;

/** The gateway's steps for splitting amounts (G3), by merchant and mode. */
export type UnitOf = (merchantId: string, mode: string, currency: string) => Promise<bigint>;

/** The caller: until when (epoch ms) it waits for the answer, and the trace of its request. */
export type Caller = { readonly deadline?: number; readonly traceparent?: string };

type Parts = LedgerParts & { readonly findAmountUnit: UnitOf; readonly names?: NewNames };
type Waiting = { readonly row: NewGroupRow; readonly deadline: number };

/**
 * Creates groups. Commands that queue while a statement runs share the next one, and every command keeps its own
 * result. A command that ran before returns its group again, in its current state; the same id with another input is
 * refused (Q12).
 */
export function createGroups(o: Parts): (command: CreateCommand, caller?: Caller) => Promise<Created> {
  const names = o.names ?? newNames;
  const insert = naturalBatch<Waiting, Inserted>({
    maxSize: STATEMENT_SIZE,
    maxQueued: MAX_QUEUED,
    inFlight: STATEMENTS_IN_FLIGHT,
    overloaded: () => new AppError('service_unavailable', { retryAfterSeconds: 1 }),
    run: (waiting) => insertWaiting({ ...o, names }, waiting),
  });

  return async (command, { deadline = Infinity, traceparent } = {}) => {
    const unitMinor = await o.findAmountUnit(command.merchant_id, command.mode, command.currency);
    const decideAt = (nowMs: number) =>
      tryTo(() => newGroupRow(command, { unitMinor, names, nowMs, traceparent }));
    let row = decideAt(Date.now());
    // The merchant's test clock is read only where the real time refuses or cuts an instant, so it costs other requests nothing.
    if (isExpiryFault(row) || isCutByRealTime(command)) {
      const clock = await findClock(o.db, toScope(command));
      row = withClockHint(decideAt(clock.nowMs), clock);
    }
    // A repeat is a repeat even when its expiry has passed meanwhile: the command is looked up before the refusal.
    if (row instanceof Error) return repeated(o, command, row);
    const { row: stored, createdAt } = await insert({ row, deadline });
    if (createdAt === null) return repeated(o, command, await expiryFault(o.db, command));
    countNewGroup(command.mode);
    const { id: group_id, mode, merchant_id, version } = stored.group;
    o.publishChange({ group_id, merchant_id, mode, version });
    o.log.info(
      { group_id, merchant_id, mode, slot_count: stored.slots.length, traceparent },
      'group is open',
    );
    return { ...buildView(stored, createdAt.toISOString()), replayed: false };
  };
}

/** Drops commands past their deadline: their callers no longer wait, so no caller would get the group. */
async function insertWaiting(
  o: Parts & { names: NewNames },
  waiting: readonly Waiting[],
): Promise<(Inserted | Error)[]> {
  const now = Date.now();
  const inTime = waiting.filter(({ deadline }) => deadline > now);
  failBefore('create');
  const inserted =
    inTime.length > 0
      ? await insertInBatch(
          o,
          inTime.map(({ row }) => row),
        )
      : [];
  failAfter('create');
  o.wakeRelay();
  const verdicts = new Map(inTime.map((one, index) => [one, inserted[index]]));
  return waiting.map((one) => verdicts.get(one) ?? new AppError('deadline_exceeded'));
}

/** The command was not taken: it ran before, or its expiry is out of range by the database's clock. */
async function repeated(o: LedgerParts, command: CreateCommand, refusal: Error): Promise<Created> {
  const stored = await findCommand(o.db, command.command_id);
  if (!stored) throw refusal;
  if (stored.fingerprint !== command.fingerprint) throw new AppError('idempotency_key_reused');
  const loaded = await loadGroup(o.db, { groupId: stored.group_id, scope: toScope(command) });
  if (!loaded) throw new AppError('idempotency_key_reused');
  return { ...groupWithSlots(loaded.row, loaded.slotRows), replayed: true };
}

/** Returns whether the organiser's latest expiry is cut to seven days from the real time, which a test clock may be ahead of. */
function isCutByRealTime({ mode, organiser, expires_at }: CreateCommand): boolean {
  if (mode !== 'test' || !organiser) return false;
  const times = { expiresAtMs: Date.parse(expires_at), createdAtMs: Date.now() };
  return isLatestCut(toOrganiser(organiser), times);
}

function tryTo<T>(decide: () => T): T | Error {
  try {
    return decide();
  } catch (error) {
    return error instanceof Error ? error : new Error('a decision failed', { cause: error });
  }
}

async function expiryFault(db: LedgerParts['db'], command: CreateCommand): Promise<AppError> {
  const clock = await findClock(db, toScope(command));
  const isPast = Date.parse(command.expires_at) < clock.nowMs + 60_000;
  const { expiryInPast, expiryTooFar } = documentedTexts;
  return withClockHint(validationError('expires_at', isPast ? expiryInPast : expiryTooFar), clock);
}

/** The database's clock gives the rows their time. */
function buildView({ group, slots }: NewGroupRow, at: string) {
  return groupWithSlots(
    { ...group, created_at: at, updated_at: at },
    slots.map((slot) => ({ ...slot, updated_at: at })),
  );
}
