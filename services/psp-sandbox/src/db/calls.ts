import { statement, type Queryable } from '@gp/pg';
import type { RecordedCall } from '../app/ports.ts';

type CallRow = {
  psp_reference: string;
  operation: RecordedCall['operation'];
  outcome: string;
  fault: string | null;
  at: Date;
};

const insert = statement(
  'insert-call',
  'insert into calls (psp_reference, operation, outcome, fault, at) values ($1, $2, $3, $4, $5)',
);

/** Outcomes that are not final. */
const OPEN_OUTCOMES = ['accepted', 'requires_action'];

const settle = statement(
  'settle-call',
  `update calls set outcome = $3 where id =
     (select id from calls where psp_reference = $1 and operation = $2 and outcome = any($4)
       order by id desc limit 1)`,
);

const list = statement<CallRow>(
  'list-calls-of-payments',
  'select * from calls where psp_reference = any($1) order by id',
);

export async function insertCall(q: Queryable, c: RecordedCall): Promise<void> {
  await q.query(insert, [c.pspReference, c.operation, c.outcome, c.fault, c.at]);
}

export async function settleCall(
  q: Queryable,
  pspReference: string,
  operation: string,
  outcome: string,
): Promise<void> {
  await q.query(settle, [pspReference, operation, outcome, OPEN_OUTCOMES]);
}

export async function listPaymentCalls(
  q: Queryable,
  pspReferences: readonly string[],
): Promise<RecordedCall[]> {
  return (await q.query(list, [pspReferences])).map((row) => ({
    pspReference: row.psp_reference,
    operation: row.operation,
    outcome: row.outcome,
    fault: row.fault,
    at: row.at,
  }));
}
