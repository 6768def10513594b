import type { IncomingHttpHeaders } from 'node:http';
import type { Mode, PspCode } from '@gp/contracts';
import type { Card } from '@gp/gateway-registry';
import type { Currency } from '@gp/money';
import type { AmountRule } from './domain/amount.ts';
import type {
  Account,
  Answer,
  Call,
  Payment,
  PaymentOrder,
  PrepareAnswer,
  QueryAnswer,
} from './domain/payment.ts';

/** What a merchant enters to connect the gateway. */
export type CredentialShape<C> = {
  readonly fields: readonly (keyof C & string)[];
  /** Those of them that may be left out; they are then the empty text. */
  readonly optional?: readonly (keyof C & string)[];
  /** The field by which the gateway's callbacks name the account. */
  readonly account: keyof C & string;
  /** Whether two versions of that name see the same payments, where the name alone does not say so. */
  readonly isSameAccount?: (a: C, b: C) => boolean;
  /** Why these do not belong to the mode, for a validation message; undefined when they do. */
  readonly refuse: (credentials: C, mode: Mode) => { param: string; reason: string } | undefined;
};

export type RawCallback = {
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
  readonly receivedAt: Date;
};

/** Every version of every account that goes by this name at the gateway, newest first. */
export type FindAccounts<C> = (account: string) => Promise<readonly Account<C>[]>;

/** `forged` is answered 400 and leaves nothing behind; `irrelevant` is genuine but not about a payment of ours. */
export type CallbackVerdict<C> =
  | { readonly kind: 'forged'; readonly reason: string }
  | { readonly kind: 'irrelevant' }
  | {
      readonly kind: 'verified';
      readonly account: Account<C>;
      readonly eventId: string;
      readonly eventType: string;
      readonly pspReference: string;
      /** Our reference, where the gateway sends it back; null makes us look the payment up by `pspReference`. */
      readonly attemptId: string | null;
      /** True and false begin and end a dispute; null where the callback is about something else. */
      readonly isDisputed: boolean | null;
    };

/** What a payer's browser brings back from the gateway's page; `bare` brings nothing, and so proves nothing. */
export type ReturnVerdict<C> =
  Exclude<CallbackVerdict<C>, { kind: 'irrelevant' }> | { readonly kind: 'bare' };

/** Only where the payer leaves for the gateway's page and comes back by way of the adapter. */
export type BrowserReturn<C> = {
  /** Checks what the browser brought. It decides nothing: it only makes us ask the gateway earlier. */
  verify(query: URLSearchParams, accounts: FindAccounts<C>): Promise<ReturnVerdict<C>>;
  /** Where the merchant wants his payers back; `{id}` stands for the group payment. Undefined: nowhere. */
  addressOf(credentials: C): string | undefined;
};

/**
 * The one interface a new gateway implements. Each method makes at most one call that changes anything, maps
 * every documented answer, and never throws for weather: what it cannot be sure of is `unknown`. Idempotency,
 * write-ahead rows, retries, breakers, budgets and the ledger are the business of the shared machinery.
 */
export interface PaymentGateway<C> {
  readonly psp: PspCode;
  readonly credentials: CredentialShape<C>;
  /** Undefined: the currency is not taken. */
  amountRule(currency: Currency): AmountRule | undefined;
  /** Only where we name the payment: a fresh name. It is written down before it is used, and never given twice. */
  newReference?(): string;
  /** Makes the payment known to the gateway and tells what the payer's browser needs. Safe to repeat. */
  prepare(order: PaymentOrder, account: Account<C>, call: Call): Promise<PrepareAnswer>;
  /** Only where the server authorises. Never repeated: the card is gone after this call. */
  authorise?(payment: Payment, card: Card, account: Account<C>, call: Call): Promise<Answer>;
  capture(payment: Payment, account: Account<C>, call: Call): Promise<Answer>;
  void(payment: Payment, account: Account<C>, call: Call): Promise<Answer>;
  refund(payment: Payment, account: Account<C>, call: Call): Promise<Answer>;
  /** The gateway's truth, by its reference or, where that is not known, by ours. Changes nothing. */
  query(payment: Payment, account: Account<C>, call: Call): Promise<QueryAnswer>;
  /** Whether the credentials work; `unknown` when the gateway could not be asked. */
  verify(
    account: Account<C>,
    call: Call,
  ): Promise<{ kind: 'valid' } | { kind: 'invalid'; reason: string } | { kind: 'unknown' }>;
  /** Checks signature, account and mode of a callback over its raw bytes, and its age (±300 s) where it has one. */
  verifyCallback(callback: RawCallback, accounts: FindAccounts<C>): Promise<CallbackVerdict<C>>;
  readonly browserReturn?: BrowserReturn<C>;
}
