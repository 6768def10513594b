import type { PspCode } from '@gp/gateway-registry';

/** The calls a merchant's system makes, in the platform's terms; `callback` is the opposite direction. */
export const CALL_OPERATIONS = ['prepare', 'authorise', 'capture', 'void', 'refund', 'query'] as const;
export type CallOperation = (typeof CALL_OPERATIONS)[number];
export type Operation = CallOperation | 'callback';

export const OPERATIONS: readonly Operation[] = [...CALL_OPERATIONS, 'callback'];

export type BookStatus =
  'created' | 'authorised' | 'captured' | 'voided' | 'refunded' | 'expired' | 'declined';

/** Steps a gateway accepts first and finishes later. */
export type PendingStep = 'authorise' | 'capture' | 'void' | 'refund';

/** A payment in the gateway's books: money, state, and details that only the gateway needs. */
export type Payment<Details = unknown> = {
  readonly gateway: PspCode;
  readonly pspReference: string;
  /** The connected account or processing channel that owns it; no other can see it. */
  readonly account: string;
  readonly paymentIntentId: string | null;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly status: BookStatus;
  /** Totals of what was held, captured and refunded; a released hold keeps its amount. */
  readonly authorisedMinor: bigint;
  readonly capturedMinor: bigint;
  readonly refundedMinor: bigint;
  readonly pendingStep: PendingStep | null;
  readonly isDisputed: boolean;
  readonly holdExpiresAt: Date | null;
  readonly details: Details;
  readonly createdAt: Date;
};

/** The amounts of a payment without any hold, capture or refund. */
export const UNTOUCHED = {
  status: 'created',
  authorisedMinor: 0n,
  capturedMinor: 0n,
  refundedMinor: 0n,
  pendingStep: null,
  isDisputed: false,
  holdExpiresAt: null,
} as const satisfies Partial<Payment>;

/** The only data of a card that are kept. */
export type CardFace = { readonly brand: string; readonly last4: string };

/** A step that has an identity of its own at the gateway: a refund, a capture being confirmed … */
export type Action = {
  readonly id: string;
  readonly pspReference: string;
  readonly type: PendingStep;
  readonly amountMinor: bigint;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly reason: string | null;
  readonly createdAt: Date;
};

/** Scheduled work of a payment: later confirmations, later failures, expiries of holds. */
export const WORK_KINDS = ['confirm', 'fail', 'lapse'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

export type CallbackConduct = 'plain' | 'duplicate' | 'reorder' | 'lose';

export type Work = {
  readonly gateway: PspCode;
  readonly pspReference: string;
  readonly kind: WorkKind;
  readonly step: PendingStep | null;
  readonly actionId: string | null;
  /** How the callbacks of the outcome are to be sent. */
  readonly callbacks: CallbackConduct;
  readonly dueAt: Date;
};
