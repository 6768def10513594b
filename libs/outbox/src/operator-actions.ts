import { statement, type Queryable } from '@gp/pg';

/** An operator's manual action; `action` is the command line's name for it. */
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

/** Records an operator's action (Q32); pass the transaction of its effect. */
export async function recordAction(
  q: Queryable,
  { actor, action, subject, details = {} }: OperatorAction,
): Promise<void> {
  await q.query(insert, [actor, action, subject, JSON.stringify(details)]);
}
