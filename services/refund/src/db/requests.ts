import type { RefundAnswer, RefundView } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';
import { between } from '../fail-points.ts';
import { putRefund, toRefundRow } from './refunds.ts';

const find = statement<{ fingerprint: string; answer: RefundAnswer | null }>(
  'refund.find-request',
  `select encode(fingerprint, 'hex') as fingerprint, answer from requests where command_id = $1`,
);

// Locks the refund's row, then the request's. Every statement here locks in this order.
const note = statement(
  'refund.note-opened',
  `with refund as (${putRefund})
   insert into requests (command_id, fingerprint, refund_id) values ($9, $10, $1)
   on conflict (command_id) do nothing`,
);

// The first answer stays: two processes that ran one command return the same stored answer.
const answer = statement<{ answer: RefundAnswer }>(
  'refund.store-answer',
  `update requests
   set answer = coalesce(answer, $2), answered_at = coalesce(answered_at, clock_timestamp())
   where command_id = $1
   returning answer`,
);

// Index: requests_by_age.
const reap = statement<{ reaped: bigint }>(
  'refund.reap-requests',
  `with old as (
     select command_id from requests where opened_at < clock_timestamp() - make_interval(hours => $1)
     order by opened_at limit 1000
   ), gone as (delete from requests r using old where r.command_id = old.command_id returning 1)
   select count(*) as reaped from gone`,
);

type Command = { readonly command_id: string; readonly fingerprint: string };

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

/** Finds a command: the fingerprint of its input, and its answer once there is one. */
export async function findRequest(
  db: Queryable,
  commandId: string,
): Promise<{ fingerprint: string; answer: RefundAnswer | null } | undefined> {
  const [row] = await db.query(find, [bytes(commandId)]);
  return row;
}

/** Stores the refund that the ledger opened for a command. A repeated call changes nothing. */
export async function saveOpened(db: Queryable, command: Command, view: RefundView): Promise<void> {
  const { command_id, fingerprint } = command;
  const values = [...toRefundRow(view), bytes(command_id), bytes(fingerprint)];
  await between('note', () => db.query(note, values));
}

/** Stores the answer to a command, unless one is stored, and returns the stored one. */
export async function storeAnswer(
  db: Queryable,
  commandId: string,
  given: RefundAnswer,
): Promise<RefundAnswer> {
  const [row] = await between('answer', () => db.query(answer, [bytes(commandId), JSON.stringify(given)]));
  if (!row) throw new Error('the request of this answer is not stored');
  return row.answer;
}

/** Deletes up to 1,000 requests older than this; returns how many. */
export async function deleteRequests(db: Queryable, hours: number): Promise<number> {
  const [row] = await db.query(reap, [hours]);
  return Number(row?.reaped ?? 0n);
}
