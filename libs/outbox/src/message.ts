import type { Mode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

/**
 * A message to be published on the bus. Those of one `groupKey` are published in the order they were written.
 */
export type OutboxMessage = {
  /** UUID; becomes the `Nats-Msg-Id` and the key of every consumer's inbox. */
  id: string;
  subject: string;
  groupKey: string;
  mode: Mode;
  payload: unknown;
  traceparent?: string;
};

/** The number of parameters that `outboxArrays` fills. */
export const OUTBOX_PARAMETERS = 6;

/**
 * Returns the insert as text, for a data-modifying CTE that writes state and messages in one statement. It uses
 * the parameters `$first` to `$first + 5`, filled by `outboxArrays`. `condition` may exclude rows by the results
 * of other CTEs, naming a message `m` (`m.id`, `m.group_key`, `m.ordinal` from 1):
 *
 *     with claimed as (…), sent as (${outboxInsertFragment(9, 'm.group_key in (select id::text from claimed)')})
 */
export function outboxInsertFragment(first: number, condition = 'true'): string {
  const p = (offset: number): string => `$${first + offset}`;
  return `insert into outbox (id, subject, group_key, mode, payload, traceparent)
    select m.id, m.subject, m.group_key, m.mode, m.payload, m.traceparent
    from unnest(${p(0)}::uuid[], ${p(1)}::text[], ${p(2)}::text[], ${p(3)}::text[], ${p(4)}::jsonb[], ${p(5)}::text[])
      with ordinality as m (id, subject, group_key, mode, payload, traceparent, ordinal)
    where ${condition}
    order by m.ordinal`;
}

/**
 * Returns one array per column, in the order the fragment reads them. Amounts in payloads are text: a bigint is
 * refused.
 */
export function outboxArrays(messages: readonly OutboxMessage[]): readonly (readonly (string | null)[])[] {
  return [
    messages.map((m) => m.id),
    messages.map((m) => m.subject),
    messages.map((m) => m.groupKey),
    messages.map((m) => m.mode),
    messages.map((m) => JSON.stringify(m.payload)),
    messages.map((m) => m.traceparent ?? null),
  ];
}

const insertMessages = statement('outbox-insert', outboxInsertFragment(1));

/** Writes the messages in this order, in one statement; pass the transaction of the change they report. */
export async function insertOutbox(q: Queryable, messages: readonly OutboxMessage[]): Promise<void> {
  if (messages.length > 0) await q.query(insertMessages, outboxArrays(messages));
}
