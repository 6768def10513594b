import type { ClientData, Failure, Mode } from '@gp/contracts';
import type { Currency } from '@gp/money';

/** One try to pay, in the form that adapters use for their gateways. */
export type Payment = {
  readonly mode: Mode;
  readonly merchantId: string;
  readonly groupId: string;
  readonly intentId: string;
  /** Our reference of this try. The gateway stores it, so that a try whose answer was lost can be queried. */
  readonly attemptId: string;
  readonly amountMinor: bigint;
  readonly currency: Currency;
  /** The gateway's own id of the payment; null until it has sent us the id. */
  readonly pspReference: string | null;
  /** A fault that the sandbox simulates for this payment; always null in live mode. */
  readonly sandboxFault: string | null;
  /** Only of a payment that our server authorises: the payer may be sent to the bank's page and return from there. */
  readonly canBeAuthenticated?: boolean;
};

/** `pspReference` is the name we gave the payment, on gateways where we choose it. */
export type PaymentOrder = Omit<Payment, 'attemptId'> & {
  /** Null where a try begins only when it is confirmed. */
  readonly attemptId: string | null;
  readonly description: string;
};

/**
 * One version of a merchant's credentials at a gateway, opened. It is never logged, and stored only in the
 * cache.
 */
export type GatewayAccount<C> = {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly version: number;
  readonly credentials: C;
};

/** The parameters of one call to the gateway. */
export type Call = {
  /** Unique per operation and seq; a gateway with idempotency keys runs it once. */
  readonly idempotencyKey: string;
  /** Ends the wait. The effect at the gateway is then unknown. */
  readonly signal: AbortSignal;
};

export type Unknown = {
  readonly kind: 'unknown';
  readonly reason: string;
  readonly isKeyRefused?: true;
};

/** The gateway certainly did nothing, and may do it later. */
export type Retryable = {
  readonly kind: 'retryable';
  readonly reason: string;
  readonly retryAfterSeconds?: number;
  /** The gateway refuses these keys; newer ones of the merchant may work. */
  readonly isKeyRefused?: true;
};

/** The gateway certainly refused, for good. */
export type Declined = {
  readonly kind: 'declined';
  readonly failure: Failure;
  readonly pspReference?: string;
};

export type Approved = {
  readonly kind: 'approved';
  readonly pspReference: string;
  readonly amountMinor: bigint;
  /** ISO code, upper case. */
  readonly currency: string;
  /** Until when a hold can be captured; only on authorise. */
  readonly captureBefore: Date | null;
};

/**
 * The gateway's answer to an operation. `authenticating`: the issuer authenticates the payer, at `challengeUrl`.
 * `accepted`: it will be done, the result comes later. `conflict`: the payment's present state does not allow it, so
 * query that state. Any answer that is none of these with certainty is `unknown`: a payment that may have happened is
 * never a failure.
 */
export type Answer =
  | Approved
  | Declined
  | Unknown
  | Retryable
  | { readonly kind: 'authenticating'; readonly pspReference: string; readonly challengeUrl: string }
  | { readonly kind: 'accepted' }
  | { readonly kind: 'conflict'; readonly reason: string };

export type PrepareAnswer =
  | { readonly kind: 'prepared'; readonly pspReference: string | null; readonly client: ClientData }
  | Declined
  | Unknown
  | Retryable;

export type EffectOperation = 'capture' | 'void' | 'refund';

/** A step that the gateway records, found again by our reference. */
export type Action = {
  readonly operation: EffectOperation;
  /** The idempotency key of the step; null when it was not ours. */
  readonly reference: string | null;
  readonly state: 'pending' | 'succeeded' | 'failed';
  readonly amountMinor: bigint;
  readonly failure: Failure | null;
};

/** Everything a gateway knows of one payment, in our terms. */
export type Truth = {
  readonly pspReference: string;
  readonly status:
    | 'awaiting_payer'
    | 'authenticating'
    | 'processing'
    | 'authorised'
    | 'declined'
    | 'captured'
    | 'voided'
    | 'lapsed';
  /** The held amount, or the requested one as long as nothing is held. */
  readonly amountMinor: bigint;
  readonly capturedMinor: bigint;
  readonly refundedMinor: bigint;
  readonly currency: string;
  readonly captureBefore: Date | null;
  /** The payer's browser can still authorise it, also after a refusal: only a void closes it. */
  readonly isOpenToPayer: boolean;
  /** The issuer's page where the payer is awaited, at gateways that name it while a payment is `authenticating`. */
  readonly challengeUrl?: string;
  /**
   * Whether a dispute is open or was lost; false when all of them ended without a loss. Null: there never was one, or
   * the gateway's books do not show disputes.
   */
  readonly isDisputed: boolean | null;
  /** Why the newest try to authorise was refused. */
  readonly failure: Failure | null;
  readonly actions: readonly Action[];
};

export type QueryAnswer =
  { readonly kind: 'found'; readonly truth: Truth } | { readonly kind: 'absent' } | Unknown | Retryable;
