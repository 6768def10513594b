import { Type, type Static } from '@gp/bundled/typebox';

const Ids = Type.Array(Type.String());

/** The answers that the clients of a history got, over all its parts: the platform must have done everything they state. */
export const ClientRecord = Type.Object({
  created: Type.Array(Type.Object({ merchant: Type.String(), group_id: Type.String(), slot_ids: Ids })),
  paid: Type.Array(Type.Object({ payment_intent_id: Type.String(), slot_ids: Ids })),
  /** Refunds that were answered, those too that gave nothing back. */
  refunded: Type.Array(
    Type.Object({
      group_id: Type.String(),
      refunded_payment_intents: Ids,
      failed: Type.Array(
        Type.Object({ payment_intent_id: Type.String(), psp_code: Type.String(), error: Type.String() }),
      ),
    }),
  ),
  /** Payments whose confirm was answered with `preauthorised`. */
  confirmed: Ids,
  /** A merchant's time that was asked to go ahead, once. */
  travelled: Type.Array(
    Type.Object({ merchant: Type.String(), seconds: Type.Number(), isAnswered: Type.Boolean() }),
  ),
  /** How often each kind of answer came, for the summary. */
  tally: Type.Record(Type.String(), Type.Integer()),
});
export type ClientRecord = Static<typeof ClientRecord>;

export function newRecord(): ClientRecord {
  return { created: [], paid: [], refunded: [], confirmed: [], travelled: [], tally: {} };
}

export function count(record: ClientRecord, what: string): void {
  record.tally[what] = (record.tally[what] ?? 0) + 1;
}
