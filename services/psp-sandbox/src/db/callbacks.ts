import type { PspCode } from '@gp/gateway-registry';
import { statement, type Queryable } from '@gp/pg';
import type { DueCallback } from '../app/ports.ts';

export type NewCallback = {
  id: string;
  gateway: PspCode;
  account: string;
  pspReference: string;
  type: string;
  body: string;
  state: 'due' | 'lost';
  fault: string | null;
  isHeld: boolean;
  dueAt: Date | null;
  createdAt: Date;
};

type DueRow = {
  id: string;
  gateway: PspCode;
  account: string;
  psp_reference: string;
  position: bigint;
  body: string;
  fault: DueCallback['fault'];
  attempts: number;
};

const insert = statement(
  'insert-callback',
  `insert into callbacks (id, gateway, account, psp_reference, type, body, state, fault, is_held, due_at, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);

// Index callbacks_due. Taken ones are marked, so that a second query skips them while they are under way.
const take = statement<DueRow>(
  'take-due-callbacks',
  `with taken as (
     update callbacks set state = 'sending', attempts = attempts + 1 where id in (
       select id from callbacks where state = 'due' and due_at <= $1 order by due_at, position limit $2
          for update skip locked)
     returning id, gateway, account, psp_reference, position, body, fault, attempts)
   select * from taken order by position`,
);

const settle = statement(
  'settle-callback',
  `update callbacks set state = $2, due_at = $3, fault = null, is_held = false where id = $1`,
);

// Index callbacks_by_payment.
const findOpen = statement(
  'find-open-callback',
  `select 1 from callbacks where psp_reference = $1 and state in ('due', 'sending') limit 1`,
);

const letGo = statement(
  'let-held-callbacks-go',
  `update callbacks set due_at = $3, is_held = false
    where psp_reference = $1 and position < $2 and is_held and state = 'due'`,
);

// A callback that a dead process was sending may or may not have arrived: it is sent again.
const recover = statement('recover-callbacks', `update callbacks set state = 'due' where state = 'sending'`);

const findBody = statement<{ body: string }>(
  'find-callback-body',
  'select body from callbacks where gateway = $1 and account = $2 and id = $3',
);

const listFor = statement<{
  psp_reference: string;
  id: string;
  type: string;
  state: string;
  attempts: number;
}>(
  'list-callbacks-of-payments',
  `select psp_reference, id, type, state, attempts from callbacks where psp_reference = any($1) order by position`,
);

export async function insertCallback(q: Queryable, c: NewCallback): Promise<void> {
  const values = [c.id, c.gateway, c.account, c.pspReference, c.type, c.body, c.state, c.fault, c.isHeld];
  await q.query(insert, [...values, c.dueAt, c.createdAt]);
}

export async function takeDueCallbacks(q: Queryable, now: Date, limit: number): Promise<DueCallback[]> {
  return (await q.query(take, [now, limit])).map((row) => ({
    id: row.id,
    gateway: row.gateway,
    account: row.account,
    pspReference: row.psp_reference,
    position: row.position,
    body: row.body,
    fault: row.fault,
    attempts: row.attempts,
  }));
}

/** Records the result of a send: delivered, given up, or due again at `dueAt`. */
export async function settleCallback(
  q: Queryable,
  id: string,
  state: 'delivered' | 'abandoned' | 'lost' | 'due',
  dueAt: Date | null,
): Promise<void> {
  await q.query(settle, [id, state, dueAt]);
}

export async function letHeldCallbacksGo(q: Queryable, after: DueCallback, now: Date): Promise<void> {
  await q.query(letGo, [after.pspReference, after.position, now]);
}

export async function recoverCallbacks(q: Queryable): Promise<void> {
  await q.query(recover);
}

export async function findCallbackBody(
  q: Queryable,
  gateway: PspCode,
  account: string,
  id: string,
): Promise<string | undefined> {
  const [row] = await q.query(findBody, [gateway, account, id]);
  return row?.body;
}

export async function listPaymentCallbacks(q: Queryable, pspReferences: readonly string[]) {
  const rows = await q.query(listFor, [pspReferences]);
  return rows.map(({ psp_reference: pspReference, ...note }) => ({ pspReference, ...note }));
}

export async function hasOpenCallbacks(q: Queryable, pspReference: string): Promise<boolean> {
  return (await q.query(findOpen, [pspReference])).length > 0;
}
