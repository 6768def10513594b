import type { IncomingHttpHeaders } from 'node:http';
import type { Mode, PspCode } from '@gp/contracts';
import type { Card } from '@gp/gateway-registry';
import type { Currency } from '@gp/money';
import type { AmountRule } from './domain/amount.ts';
import type {
  GatewayAccount,
  Answer,
  Call,
  Payment,
  PaymentOrder,
  PrepareAnswer,
  QueryAnswer,
} from './domain/payment.ts';
import type { StatedResult } from './domain/stated-result.ts';

/** The fields that a merchant enters to connect the gateway. */
export type CredentialShape<C> = {
  readonly fields: readonly (keyof C & string)[];
  /** The fields that may be left out; they are then the empty text. */
  readonly optional?: readonly (keyof C & string)[];
  /** The field by which the gateway's callbacks name the account. */
  readonly account: keyof C & string;
  /** The field with which the gateway signs callbacks. */
  readonly callbackSecret: keyof C & string;
  /**
   * Returns whether two versions of that name see the same payments, where the name alone does not decide it.
   */
  readonly isSameAccount?: (a: C, b: C) => boolean;
  /** Returns why the credentials do not fit the mode, for a validation message; undefined when they do. */
  readonly refuse: (credentials: C, mode: Mode) => { param: string; reason: string } | undefined;
};

export type CredentialsVerdict<C> =
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid'; readonly param: keyof C & string; readonly reason: string }
  | { readonly kind: 'unknown' };

export type RawCallback = {
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
  readonly receivedAt: Date;
};

/**
 * Returns every account of this name whose callback secret satisfies `isSigner`. `mode`: of the callback, null where
 * the gateway does not state it. Several merchants may share an account, so several may fit. `isSigner` is called once
 * for each distinct secret, and compares in constant time.
 */
export type FindSigners<C> = (
  named: { readonly account: string; readonly mode: Mode | null },
  isSigner: (secret: string) => boolean,
) => Promise<readonly GatewayAccount<C>[]>;

/** `forged` gets a 400 and leaves nothing behind; `irrelevant` is genuine but not about a payment of ours. */
export type CallbackVerdict<C> =
  | { readonly kind: 'forged'; readonly reason: string }
  | { readonly kind: 'irrelevant' }
  | {
      readonly kind: 'verified';
      /** At least one; the payment that the callback names decides between them. */
      readonly signers: readonly [GatewayAccount<C>, ...(readonly GatewayAccount<C>[])];
      readonly eventId: string;
      readonly eventType: string;
      readonly pspReference: string;
      /** Our reference, where the gateway sends it back; with null we look the payment up by `pspReference`. */
      readonly attemptId: string | null;
      /** True and false begin and end a dispute; null where the callback is about something else. */
      readonly isDisputed: boolean | null;
      /** Absent where the callback says anything else or more, or where only a query can tell. */
      readonly stated?: StatedResult;
    };

/**
 * The parameters with which a payer's browser returns from the gateway's page; `bare` has none, and so proves
 * nothing.
 */
export type ReturnVerdict<C> =
  Exclude<CallbackVerdict<C>, { kind: 'irrelevant' }> | { readonly kind: 'bare' };

/** Only where the payer leaves for the gateway's page and returns through the adapter. */
export type BrowserReturn<C> = {
  /** Checks the browser's parameters. They decide nothing: they only make us query the gateway earlier. */
  verify(query: URLSearchParams, findSigners: FindSigners<C>): Promise<ReturnVerdict<C>>;
  /**
   * Returns the merchant's address for returning payers; `{id}` stands for the group payment. Undefined: none.
   */
  findReturnAddress(credentials: C): string | undefined;
};

/**
 * The one interface a new gateway implements. Each method makes at most one call that changes anything, maps
 * every documented answer, and never throws for outages: an uncertain result is `unknown`. Idempotency,
 * write-ahead rows, retries, breakers, budgets and the ledger belong to the shared machinery.
 */
export interface PaymentGateway<C> {
  readonly psp: PspCode;
  readonly credentials: CredentialShape<C>;
  /** Returns undefined when the currency is not accepted. */
  amountRule(currency: Currency): AmountRule | undefined;
  /**
   * Only where we name the payment: returns a fresh name. It is stored before it is used, and never given twice.
   */
  newReference?(): string;
  /** Makes the payment known to the gateway and returns what the payer's browser needs. Safe to repeat. */
  prepare(order: PaymentOrder, account: GatewayAccount<C>, call: Call): Promise<PrepareAnswer>;
  /** Only where the server authorises. Never repeated: the card is gone after this call. */
  authorise?(payment: Payment, card: Card, account: GatewayAccount<C>, call: Call): Promise<Answer>;
  capture(payment: Payment, account: GatewayAccount<C>, call: Call): Promise<Answer>;
  void(payment: Payment, account: GatewayAccount<C>, call: Call): Promise<Answer>;
  refund(payment: Payment, account: GatewayAccount<C>, call: Call): Promise<Answer>;
  /** Returns the gateway's truth, by its reference or, where that is not known, by ours. Changes nothing. */
  query(payment: Payment, account: GatewayAccount<C>, call: Call): Promise<QueryAnswer>;
  /**
   * Checks that the keys work and belong to the account, as far as the gateway can confirm it. `invalid` is certain and
   * names the field to correct; `unknown` when the gateway could not be reached.
   */
  verify(account: GatewayAccount<C>, call: Call): Promise<CredentialsVerdict<C>>;
  /** Checks signature, account and mode of a callback over its raw bytes, and its age (±300 s) where it has one. */
  verifyCallback(callback: RawCallback, findSigners: FindSigners<C>): Promise<CallbackVerdict<C>>;
  readonly browserReturn?: BrowserReturn<C>;
}
