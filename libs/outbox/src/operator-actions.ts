import type { Operator } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

/** A manual action; `action` is the command line's name for it. */
export type OperatorAction = {
  /** The operator whose signature was verified, or the name of another person or program, such as a merchant's user. */
  readonly actor: Pick<Operator, 'name' | 'key'> | string;
  readonly action: string;
  readonly subject: string;
  readonly details?: Readonly<Record<string, unknown>>;
};

const insert = statement(
  'operator-actions-insert',
  `insert into operator_actions (actor, operator_key, action, subject, details) values ($1, $2, $3, $4, $5)`,
);

/** Records an action with the person's name and, of an operator, the key (Q32, Q66); pass the transaction of its effect. */
export async function recordAction(
  q: Queryable,
  { actor, action, subject, details = {} }: OperatorAction,
): Promise<void> {
  const { name, key } = typeof actor === 'string' ? { name: actor, key: null } : actor;
  await q.query(insert, [name, key, action, subject, JSON.stringify(details)]);
}
