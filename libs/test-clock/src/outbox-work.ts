import { statement, type Queryable } from '@gp/pg';

export type OutboxWork = {
  /** Whether a message for the merchant is not published yet. */
  readonly isUnsent: boolean;
  /** Whether a message that was written by then is not published yet. */
  readonly wasUnsent: boolean;
  /** Whether any message for the merchant was written since `since`. */
  readonly hasActed: boolean;
  /** To be passed to the next look. */
  readonly seen: string;
};

// Timers of one create share a message, also those of several merchants.
const IS_THEIRS = `mode = 'test' and (payload ->> 'merchant_id' = $1
  or payload -> 'instructions' @> jsonb_build_array(jsonb_build_object('merchant_id', $1::text)))`;

// Index outbox_unsent, and the end of the key: both are as short as the list of messages since the last look.
const look = statement<{ is_unsent: boolean; was_unsent: boolean; has_acted: boolean; seen: string }>(
  'test-clock.look-at-outbox',
  `select exists (select from outbox where sent_at is null and ${IS_THEIRS}) as is_unsent,
          exists (select from outbox where sent_at is null and created_at <= $3 and ${IS_THEIRS}) as was_unsent,
          exists (select from outbox where position > $2::bigint and ${IS_THEIRS}) as has_acted,
          coalesce((select max(position) from outbox), 0)::text as seen`,
);

const NOTHING = '9223372036854775807';

/** Returns the state of a merchant's test-mode messages in the outbox. */
export async function lookAtOutbox(
  db: Queryable,
  { merchantId, since, asOf }: { merchantId: string; since: string | null; asOf: Date },
): Promise<OutboxWork> {
  const [row] = await db.query(look, [merchantId, since ?? NOTHING, asOf]);
  return {
    isUnsent: row?.is_unsent ?? false,
    wasUnsent: row?.was_unsent ?? false,
    hasActed: row?.has_acted ?? false,
    seen: row?.seen ?? '0',
  };
}
