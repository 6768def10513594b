import type { DeadMessage } from '@gp/bus';
import type { Mode, Operator } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { statement, type Db, type Queryable } from '@gp/pg';
import { insertOutbox, type OutboxMessage } from './message.ts';
import { recordAction } from './operator-actions.ts';
import { REPLAYED } from './outbox.row.ts';
import { TASK_AGAIN } from './tasks.ts';

export type DeadLetter = {
  readonly id: bigint;
  readonly consumer: string;
  readonly messageId: string;
  readonly subject: string;
  readonly mode: Mode | undefined;
  /** The message's JSON, or the raw text when it was no JSON. */
  readonly payload: string;
  readonly traceparent: string | undefined;
  readonly reason: string;
  readonly deliveryCount: number;
  readonly deadAt: Date;
  readonly replayedAt: Date | undefined;
};

type DeadLetterRow = {
  id: bigint;
  consumer: string;
  message_id: string;
  subject: string;
  mode: Mode | null;
  payload: string;
  traceparent: string | null;
  reason: string;
  delivery_count: number;
  dead_at: Date;
  replayed_at: Date | null;
};

/** The form of ids that the outbox can store. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const COLUMNS = `id, consumer, message_id, subject, mode, payload, traceparent, reason, delivery_count, dead_at, replayed_at`;

// A letter that was replayed and failed again is open again, and so is the task about it.
const upsert = statement(
  'dead-letters-record',
  `with letter as (
     insert into dead_letters as d
       (consumer, message_id, subject, mode, payload, traceparent, reason, delivery_count)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (consumer, message_id) do update set reason = excluded.reason, dead_at = now(), replayed_at = null,
       delivery_count = d.delivery_count + excluded.delivery_count
     returning id, consumer, subject, mode, reason
   )
   insert into operator_tasks as t (key, code, mode, details)
   select 'dead_letter:' || id, 'dead_letter', case when mode in ('test', 'live') then mode end,
     jsonb_build_object('id', id::text, 'consumer', consumer, 'subject', subject, 'reason', reason)
   from letter
   ${TASK_AGAIN}`,
);

// Newest first by the key.
const list = statement<DeadLetterRow>(
  'dead-letters-list',
  `select ${COLUMNS} from dead_letters where replayed_at is null or $1 order by id desc limit $2`,
);

// Locked, so that two operators cannot replay one letter.
const lock = statement<DeadLetterRow>(
  'dead-letters-lock',
  `select ${COLUMNS} from dead_letters where id = $1 for update`,
);
const markReplayed = statement(
  'dead-letters-mark-replayed',
  `with letter as (update dead_letters set replayed_at = now() where id = $1)
   update operator_tasks set resolved_at = clock_timestamp(), resolved_by = $2, resolution = 'replayed'
   where key = 'dead_letter:' || $1::bigint and resolved_at is null`,
);

/**
 * Stores a message that was given up, with the reason; a message that fails twice for one consumer is one
 * letter.
 */
export async function recordDeadLetter(q: Queryable, m: DeadMessage): Promise<void> {
  const payload = typeof m.payload === 'string' ? m.payload : JSON.stringify(m.payload);
  const values = [m.consumer, m.id, m.subject, m.mode, payload, m.traceparent, m.reason].map(storable);
  await q.query(upsert, [...values, m.deliveryCount]);
}

/** Postgres text holds no zero byte, and bytes that are no JSON may contain one. */
const storable = (text: string | undefined): string | null => text?.replaceAll('\0', '\uFFFD') ?? null;

/** Lists the letters that wait for an operator, newest first; with `replayed` also those already replayed. */
export async function listDeadLetters(
  q: Queryable,
  { replayed = false, limit = 100 }: { replayed?: boolean; limit?: number } = {},
): Promise<DeadLetter[]> {
  return (await q.query(list, [replayed, limit])).map(toDeadLetter);
}

/**
 * Has this context's consumer handle a letter's message again, by way of the outbox and under its first id: what was
 * processed stays as it is. Records which operator asked for it. Rejects with `not_found`, or with `conflict` when it was
 * replayed already or cannot be a message.
 */
export async function replayDeadLetter(db: Db, id: bigint, actor: Operator): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx.query(lock, [id]);
    if (row === undefined) throw new AppError('not_found', { message: 'Dead letter not found' });
    const message = replayable(toDeadLetter(row));
    await insertOutbox(tx, [message]);
    await tx.query(markReplayed, [id, actor.name]);
    await recordAction(tx, { actor, action: 'dead-letters.replay', subject: id.toString() });
  });
}

function replayable(letter: DeadLetter): OutboxMessage {
  if (letter.replayedAt !== undefined) throw refusal('it was replayed already');
  const { mode, subject, traceparent } = letter;
  if (mode === undefined) throw refusal('it does not say its mode');
  if (!['test', 'live'].includes(mode)) throw refusal('its mode is neither test nor live');
  // A message that another program put on a stream may become a dead letter, too.
  if (!UUID.test(letter.messageId)) throw refusal('its id is not a UUID');
  const message = { id: letter.messageId, subject, mode, groupKey: `${REPLAYED}${letter.id}` };
  const payload = parsePayload(letter.payload);
  return traceparent === undefined ? { ...message, payload } : { ...message, payload, traceparent };
}

function parsePayload(text: string): unknown {
  let isStorable = true;
  try {
    const payload: unknown = JSON.parse(text, (key, value: unknown) => {
      isStorable &&= [key, value].every((part) => typeof part !== 'string' || isJsonbText(part));
      return value;
    });
    if (isStorable) return payload;
  } catch (cause) {
    throw refusal('it is not JSON', cause);
  }
  throw refusal('it holds characters that Postgres does not take');
}

/** Postgres' jsonb takes neither a zero byte nor half a surrogate pair. */
const isJsonbText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

function refusal(reason: string, cause?: unknown): AppError {
  const message = `The dead letter cannot be replayed: ${reason}`;
  return new AppError('conflict', { message }, { cause });
}

function toDeadLetter(row: DeadLetterRow): DeadLetter {
  return {
    id: row.id,
    consumer: row.consumer,
    messageId: row.message_id,
    subject: row.subject,
    mode: row.mode ?? undefined,
    payload: row.payload,
    traceparent: row.traceparent ?? undefined,
    reason: row.reason,
    deliveryCount: row.delivery_count,
    deadAt: row.dead_at,
    replayedAt: row.replayed_at ?? undefined,
  };
}
