import type { PspCode } from '@gp/gateway-registry';
import { statement, type Queryable } from '@gp/pg';
import type { CallbackConduct, PendingStep, Work, WorkKind } from '../domain/payment.ts';

type WorkRow = {
  gateway: PspCode;
  psp_reference: string;
  kind: WorkKind;
  step: PendingStep | null;
  action_id: string | null;
  callbacks: CallbackConduct;
  due_at: Date;
};

const insert = statement(
  'insert-work',
  'insert into works (gateway, psp_reference, kind, step, action_id, callbacks, due_at) values ($1, $2, $3, $4, $5, $6, $7)',
);

// Deleted in the transaction that carries it out: it is done once, or still listed after a crash. Index works_due.
const take = statement<WorkRow>(
  'take-due-work',
  `delete from works where id =
     (select id from works where due_at <= $1 order by due_at, id limit 1 for update skip locked)
   returning gateway, psp_reference, kind, step, action_id, callbacks, due_at`,
);

export async function insertWork(q: Queryable, w: Work): Promise<void> {
  await q.query(insert, [w.gateway, w.pspReference, w.kind, w.step, w.actionId, w.callbacks, w.dueAt]);
}

export async function takeDueWork(q: Queryable, now: Date): Promise<Work | undefined> {
  const [row] = await q.query(take, [now]);
  return (
    row && {
      gateway: row.gateway,
      pspReference: row.psp_reference,
      kind: row.kind,
      step: row.step,
      actionId: row.action_id,
      callbacks: row.callbacks,
      dueAt: row.due_at,
    }
  );
}
