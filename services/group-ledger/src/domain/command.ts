import type { PspCode } from '@gp/gateway-registry';
import type { Failure } from '@gp/contracts';
import type { RefundSource } from './group/group.ts';

/** The outcome of one authorization. `absent` is a positive "no such payment". */
export type AuthoriseResult =
  | {
      readonly status: 'authorised';
      readonly amountMinor: bigint;
      readonly captureBeforeMs: number | null;
      readonly pspReference: string | null;
    }
  | { readonly status: 'declined'; readonly failure: Failure }
  | { readonly status: 'unknown' }
  | { readonly status: 'absent' }
  /** The hold, or the payment that might have become one, ended at the gateway. */
  | { readonly status: 'lapsed' };

/** `retryable` means: definitely without effect, and the same order may succeed later. */
export type CaptureResult =
  | { readonly status: 'captured'; readonly amountMinor: bigint }
  | { readonly status: 'retryable' }
  | { readonly status: 'unknown' }
  | { readonly status: 'failed'; readonly failure: Failure }
  | { readonly status: 'lapsed' };

export type VoidResult =
  | { readonly status: 'voided' }
  | { readonly status: 'absent' }
  | { readonly status: 'retryable' }
  | { readonly status: 'unknown' }
  /** The money was captured there: nothing is left to void. Without an amount all of the hold was. */
  | { readonly status: 'captured'; readonly amountMinor?: bigint }
  /** Only to an order with `unlessAuthorised`: a hold exists and was left alone. */
  | {
      readonly status: 'already_authorised';
      readonly amountMinor: bigint;
      readonly captureBeforeMs: number | null;
      readonly pspReference: string | null;
    };

export type RefundResult =
  | { readonly status: 'refunded'; readonly amountMinor: bigint }
  | { readonly status: 'retryable' }
  | { readonly status: 'unknown' }
  | { readonly status: 'failed'; readonly failure: Failure };

type OnIntent = { readonly intentId: string };
type OnAuthorization = OnIntent & { readonly authorizationId: string };
/** Without an authorization the report is about the one that holds. */
type OnCharge = OnIntent & { readonly authorizationId?: string | null };
type OnOperation = OnAuthorization & { readonly operationId: string };

/** A merchant's account at a gateway, in one version of its credentials. */
export type AccountVersion = { readonly pspCode: PspCode; readonly credentialVersion: number };

/** Everything that can happen to a group. */
export type Command =
  // payers
  | {
      readonly type: 'reserve';
      readonly customerId: string;
      readonly slotIds: readonly string[] | null;
      /** What the payer adds to the slots; 0 when absent. */
      readonly tipMinor?: bigint;
      /** The name to show to whoever has the group's link; null without the payer's consent. */
      readonly shownName?: string | null;
      /** The payer may take these only; any when absent. */
      readonly withinSlotIds?: readonly string[];
      /** Names of the requesting browser; null for the merchant's server. */
      readonly requesters: readonly string[] | null;
      /** The merchant's active account; null while no gateway is connected, which refuses every reservation. */
      readonly account: AccountVersion | null;
    }
  | ({ readonly type: 'hideName' } & OnIntent)
  | ({ readonly type: 'release'; readonly failure: Failure } & OnIntent)
  | ({ readonly type: 'beginAuthorisation' } & OnIntent)
  // gateways
  // `isAnswer`: found by a query, so it need not have happened just now.
  | ({
      readonly type: 'noteAuthorising';
      readonly pspReference: string | null;
      readonly isAnswer?: boolean;
    } & OnAuthorization)
  | ({ readonly type: 'recordAuthorisation'; readonly result: AuthoriseResult } & OnAuthorization)
  | ({ readonly type: 'recordCapture'; readonly result: CaptureResult } & OnOperation)
  | ({ readonly type: 'recordVoid'; readonly result: VoidResult } & OnOperation)
  | ({ readonly type: 'recordRefund'; readonly result: RefundResult } & OnOperation)
  // operations of the merchant or the scheme at the gateway
  | ({ readonly type: 'recordExternalCapture'; readonly amountMinor: bigint } & OnAuthorization)
  | ({
      readonly type: 'recordExternalRefund';
      readonly refundId: string;
      readonly amountMinor: bigint;
    } & OnCharge)
  | ({ readonly type: 'recordDispute'; readonly disputed: boolean } & OnCharge)
  | ({ readonly type: 'reverseCapture' } & OnCharge)
  | ({ readonly type: 'reverseRefund' } & OnIntent)
  | ({ readonly type: 'reverseExternalRefund'; readonly amountMinor: bigint } & OnCharge)
  // merchants
  | {
      readonly type: 'openRefund';
      readonly refundId: string;
      readonly source: Exclude<RefundSource, 'external'>;
      readonly slotIds: readonly string[] | null;
    }
  | { readonly type: 'cancel' }
  | {
      readonly type: 'update';
      /** The wanted end of collecting; null to leave it. */
      readonly expiresAtMs: number | null;
      /** Whether the name or the metadata, which are no money state, change as well. */
      readonly changesNames: boolean;
    }
  // the organiser, with the rights that the creation fixed
  | { readonly type: 'organiserExtend'; readonly expiresAtMs: number }
  | { readonly type: 'organiserCancel' }
  // operators
  | { readonly type: 'retryCapture' }
  | { readonly type: 'giveUpCapture' }
  | { readonly type: 'recheckCredentials' }
  | ({ readonly type: 'askGateway' } & OnIntent)
  // time
  | { readonly type: 'expire' }
  | ({ readonly type: 'reservationExpiryDue' } & OnIntent)
  | ({ readonly type: 'holdExpiryDue' } & OnIntent)
  | ({ readonly type: 'captureRetryDue' } & OnIntent)
  | ({ readonly type: 'voidRetryDue' } & OnAuthorization)
  | ({ readonly type: 'refundRetryDue' } & OnIntent)
  | ({ readonly type: 'authorisationQueryDue'; readonly step: number } & OnAuthorization);

export type CommandOf<T extends Command['type']> = Extract<Command, { readonly type: T }>;
