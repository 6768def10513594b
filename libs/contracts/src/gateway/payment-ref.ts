import Type, { type Static, type TObject } from '@gp/bundled/typebox';
import { CurrencyCode, Minor, Nullable, Scope, Uuid, type Mode } from '../common.ts';
import type { IntentView } from '../ledger/views.ts';

/** The fields that identify one try of a payment, in every message about it. */
export const PaymentRefFields = {
  ...Scope,
  group_id: Uuid,
  intent_id: Uuid,
  attempt_id: Uuid,
  /** Counts the operations of one kind that were ordered for the authorization; from 2 on the adapter queries before it sends (R4). */
  seq: Type.Integer({ minimum: 1 }),
  amount_minor: Minor,
  currency: CurrencyCode,
  credential_version: Type.Integer({ minimum: 1 }),
  sandbox_fault: Nullable(Type.String()),
};

/** The form in messages. `AttemptId` is null where no try has begun. */
export type PaymentRefMessage<AttemptId extends string | null = string> = Omit<
  Static<TObject<typeof PaymentRefFields>>,
  'attempt_id'
> & { attempt_id: AttemptId };

/** The form in code: the amount is a bigint of minor units. */
export type PaymentRef<AttemptId extends string | null = string> = PaymentIds<AttemptId> & {
  readonly seq: number;
  readonly amountMinor: bigint;
  /** ISO code, upper case. */
  readonly currency: string;
  /** The version of the merchant's credentials that the payment was begun with. */
  readonly credentialVersion: number;
  /** A fault that the sandbox simulates; null in live mode, whatever a message holds. */
  readonly sandboxFault: string | null;
};

/** The identity of a try without its terms. */
export type PaymentIds<AttemptId extends string | null = string> = {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly groupId: string;
  readonly intentId: string;
  readonly attemptId: AttemptId;
};

/** Returns the ids under their names in messages and log lines. */
export function encodePaymentIds<A extends string | null>(ids: PaymentIds<A>) {
  return {
    merchant_id: ids.merchantId,
    mode: ids.mode,
    group_id: ids.groupId,
    intent_id: ids.intentId,
    attempt_id: ids.attemptId,
  };
}

/** Writes the fields of a message. */
export function encodePaymentRef<A extends string | null>(ref: PaymentRef<A>): PaymentRefMessage<A> {
  return {
    ...encodePaymentIds(ref),
    seq: ref.seq,
    amount_minor: ref.amountMinor.toString(),
    currency: ref.currency,
    credential_version: ref.credentialVersion,
    sandbox_fault: ref.sandboxFault,
  };
}

/** Reads the fields of a message; its other fields are left out. Throws for an amount that is no integer. */
export function decodePaymentRef<A extends string | null>(message: PaymentRefMessage<A>): PaymentRef<A> {
  return {
    merchantId: message.merchant_id,
    mode: message.mode,
    groupId: message.group_id,
    intentId: message.intent_id,
    attemptId: message.attempt_id,
    seq: message.seq,
    amountMinor: BigInt(message.amount_minor),
    currency: message.currency,
    credentialVersion: message.credential_version,
    sandboxFault: message.mode === 'test' ? message.sandbox_fault : null,
  };
}

/** Returns the fields of a message about the ledger's view of an intent, and the given try. */
export function buildPaymentRef<A extends string | null>(
  intent: IntentView,
  attempt: { readonly id: A; readonly seq: number },
  sandbox_fault: string | null,
): PaymentRefMessage<A> {
  return {
    merchant_id: intent.merchant_id,
    mode: intent.mode,
    group_id: intent.group_id,
    intent_id: intent.id,
    attempt_id: attempt.id,
    seq: attempt.seq,
    amount_minor: intent.amount_minor,
    currency: intent.currency,
    credential_version: intent.credential_version,
    sandbox_fault,
  };
}
