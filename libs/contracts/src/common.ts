import { pspCodes, type PspCode as Code } from '@gp/gateway-registry';
import Type, { type Static } from '@gp/bundled/typebox';

export { pspCodes };

/** Schema of one of these texts. */
export function OneOf<const T extends readonly string[]>(values: T) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });
}

export const Mode = OneOf(['test', 'live']);
export type Mode = Static<typeof Mode>;

/** The wire code of a gateway of the registry. */
export const PspCode = OneOf(pspCodes);
export type PspCode = Code;

/** The states of a group in which a refund has come to an end. */
export const REFUNDED_STATES = ['refunded', 'partially_refunded', 'refund_failed'] as const;
export const RefundedState = OneOf(REFUNDED_STATES);
export type RefundedState = Static<typeof RefundedState>;

export const Uuid = Type.String({ format: 'uuid' });
/** An instant, ISO 8601 with milliseconds, UTC. */
export const Instant = Type.String({ format: 'date-time' });
/** Minor units as decimal digits: JSON numbers would pass through a double. */
export const Minor = Type.String({ pattern: '^-?[0-9]{1,19}$' });
/** The most characters of an amount as a client wrote it: what `parseMinor` reads. */
export const LONGEST_AMOUNT = 64;
/** An amount in currency units as a request wrote it, for a service that knows the currency. */
export const AmountText = Type.String({ minLength: 1, maxLength: LONGEST_AMOUNT });
export const CurrencyCode = Type.String({ pattern: '^[A-Z]{3}$' });
/** Free key/value pairs of the merchant: ≤50 keys and ≤16 kB, checked at the edge (Q22). */
export const Metadata = Type.Record(Type.String(), Type.Unknown());
export const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

/** The owner of every record: no lookup is made without both (S9). */
export const Scope = { merchant_id: Type.String({ minLength: 1, maxLength: 64 }), mode: Mode };

/** The reason an operation did not succeed, in words a merchant may read; never an internal cause. */
export const Failure = Type.Object({
  code: Type.String({ maxLength: 64 }),
  message: Type.String({ maxLength: 300 }),
  retryable: Type.Boolean(),
});
export type Failure = Static<typeof Failure>;

/**
 * Names the action and fingerprints its input (Q12): the owner runs a command id once, replies to a repeat with
 * the stored result and refuses the same id with another fingerprint.
 */
export const CommandIdentity = {
  command_id: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  fingerprint: Type.String({ pattern: '^[0-9a-f]{64}$' }),
};

/** A name in the log of transitions; `operator:` is kept for people whose signature was verified (Q66). */
export const ActorName = Type.String({ maxLength: 120, pattern: '^(?!operator:)' });

/** What to refund; the log names `actor` as who asked for it, or the source where nobody is named. */
export const RefundRequest = Type.Object({
  ...Scope,
  ...CommandIdentity,
  group_id: Uuid,
  slot_ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 30 })),
  source: OneOf(['api', 'dashboard']),
  actor: Type.Optional(ActorName),
});

/** `secret` for every secret key of a merchant, `session:<group id>` for every token of a group. */
export const Principal = Type.String({ pattern: '^(secret|dashboard|operator|session:[0-9a-f-]{36})$' });

/** What a request to pay says of its payer. */
export const PayerDetails = {
  customer_email: Type.String({ maxLength: 320 }),
  customer_name: Type.Optional(Type.String({ maxLength: 100 })),
  /** Shows the name to whoever has the group's link. */
  show_name: Type.Optional(Type.Boolean()),
  /** By its IANA name; a name that the ledger does not know is ignored. */
  time_zone: Type.Optional(Type.String({ maxLength: 64 })),
};

/** Names of a browser; two requests that share one come from the same browser. */
export const Requesters = Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 2 });

/** The end of a page of a list: the exact creation time and the id of its last item. */
export const ListPosition = Type.Object({ created_at: Instant, id: Uuid });
export type ListPosition = Static<typeof ListPosition>;
