import type { Group, Json, Pay } from '../support/api.ts';

/** A request that was answered with success, and what is needed to send it once more. */
export type Acknowledged<T> = {
  readonly merchant: string;
  readonly path: string;
  readonly key: string;
  readonly body: Json;
  readonly answer: T;
};

export type RefundAnswer = {
  refunded_payment_intents: string[];
  refunded_slot_ids: string[];
  failed: { payment_intent_id: string; psp_code: string; error: string }[];
  group_state: string;
};

/** A merchant's time that was asked to go ahead, once. */
export type Travel = { readonly merchant: string; readonly seconds: number; readonly isAnswered: boolean };

/** The answers that the clients of a run got: the platform must have done everything they state. */
export type ClientRecord = {
  readonly created: Acknowledged<Group>[];
  readonly paid: Acknowledged<Pay>[];
  /** Refunds that were answered, those too that gave nothing back. */
  readonly refunded: Acknowledged<RefundAnswer>[];
  /** Payments whose confirm was answered with `preauthorised`. */
  readonly confirmed: string[];
  readonly travelled: Travel[];
  /** How often each kind of answer came, for the summary. */
  readonly tally: Map<string, number>;
};

export function newRecord(): ClientRecord {
  return { created: [], paid: [], refunded: [], confirmed: [], travelled: [], tally: new Map() };
}

export function count(record: ClientRecord, what: string): void {
  record.tally.set(what, (record.tally.get(what) ?? 0) + 1);
}
