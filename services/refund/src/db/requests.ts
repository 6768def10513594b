import type { RefundAnswer, RefundView } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';
import { between } from '../fail-points.ts';
import { putRefund, refundRow } from './refunds.ts';

const find = statement<{ fingerprint: string; answer: RefundAnswer | null }>(
  'refund.find-request',
  `select encode(fingerprint, 'hex') as fingerprint, answer from requests where command_id = $1`,
);

// Locks the refund's row, then the request's: the order in which every statement here takes them.
const note = statement(
  'refund.note-opened',
  `with refund as (${putRefund})
   insert into requests (command_id, fingerprint, refund_id) values ($9, $10, $1)
   on conflict (command_id) do nothing`,
);

// The first answer stays: of two processes that ran one command, both give the one that was stored.
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

/** What is known of a command: its input's fingerprint, and what its asker was told. */
export async function findRequest(
  db: Queryable,
  commandId: string,
): Promise<{ fingerprint: string; answer: RefundAnswer | null } | undefined> {
  const [row] = await db.query(find, [bytes(commandId)]);
  return row;
}

/** Keeps the refund that the ledger opened for a command; written again it changes nothing. */
export async function noteOpened(db: Queryable, command: Command, view: RefundView): Promise<void> {
  const { command_id, fingerprint } = command;
  const values = [...refundRow(view), bytes(command_id), bytes(fingerprint)];
  await between('note', () => db.query(note, values));
}

/** Keeps the answer to a command and answers what is kept, which may be an earlier one. */
export async function storeAnswer(
  db: Queryable,
  commandId: string,
  given: RefundAnswer,
): Promise<RefundAnswer> {
  const [row] = await between('answer', () => db.query(answer, [bytes(commandId), JSON.stringify(given)]));
  if (!row) throw new Error('an answer without its request');
  return row.answer;
}

/** Deletes up to 1,000 requests older than this; answers how many. */
export async function deleteRequests(db: Queryable, hours: number): Promise<number> {
  const [row] = await db.query(reap, [hours]);
  return Number(row?.reaped ?? 0n);
}
