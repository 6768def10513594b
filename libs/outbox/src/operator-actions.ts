import { statement, type Queryable } from '@gp/pg';

/** What a person did by hand; `action` is the command line's own word for it. */
export type OperatorAction = {
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly details?: Readonly<Record<string, unknown>>;
};

const insert = statement(
  'operator-actions-insert',
  `insert into operator_actions (actor, action, subject, details) values ($1, $2, $3, $4)`,
);

/** Keeps who did what (Q32); give it the transaction of what was done. */
export async function recordAction(
  q: Queryable,
  { actor, action, subject, details = {} }: OperatorAction,
): Promise<void> {
  await q.query(insert, [actor, action, subject, JSON.stringify(details)]);
}
