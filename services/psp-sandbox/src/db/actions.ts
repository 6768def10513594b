import { statement, type Queryable } from '@gp/pg';
import type { Action } from '../domain/payment.ts';

type ActionRow = {
  id: string;
  psp_reference: string;
  type: Action['type'];
  amount_minor: bigint;
  status: Action['status'];
  reference: string | null;
  metadata: Record<string, string>;
  reason: string | null;
  created_at: Date;
};

const insert = statement(
  'insert-action',
  `insert into actions (id, psp_reference, type, amount_minor, status, reference, metadata, reason, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

const finish = statement<ActionRow>(
  'finish-action',
  'update actions set status = $2 where id = $1 returning *',
);

const find = statement<ActionRow>('find-action', 'select * from actions where id = $1');

const list = statement<ActionRow>(
  'list-actions-of-payment',
  'select * from actions where psp_reference = $1 order by position',
);

export async function insertAction(q: Queryable, a: Action): Promise<void> {
  const values = [a.id, a.pspReference, a.type, a.amountMinor, a.status, a.reference, a.metadata, a.reason];
  await q.query(insert, [...values, a.createdAt]);
}

export async function finishAction(
  q: Queryable,
  id: string,
  status: 'succeeded' | 'failed',
): Promise<Action> {
  const [row] = await q.query(finish, [id, status]);
  if (row === undefined) throw new Error(`there is no action ${id} to finish`);
  return toAction(row);
}

export async function findAction(q: Queryable, id: string): Promise<Action | undefined> {
  const [row] = await q.query(find, [id]);
  return row && toAction(row);
}

export async function listPaymentActions(q: Queryable, pspReference: string): Promise<Action[]> {
  return (await q.query(list, [pspReference])).map(toAction);
}

function toAction(row: ActionRow): Action {
  return {
    id: row.id,
    pspReference: row.psp_reference,
    type: row.type,
    amountMinor: row.amount_minor,
    status: row.status,
    reference: row.reference,
    metadata: row.metadata,
    reason: row.reason,
    createdAt: row.created_at,
  };
}
