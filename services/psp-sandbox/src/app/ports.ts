import type { PspCode } from '@gp/gateway-registry';
import type { Conduct, Fault, FaultKind, FaultRule } from '../domain/fault.ts';
import type { Action, CallOperation, Operation, Payment, Work } from '../domain/payment.ts';

/** The properties that a fault's `match` is compared with; every metadata entry counts as one more property. */
export type Subject = {
  readonly gateway: PspCode;
  readonly account?: string;
  readonly pspReference?: string;
  readonly paymentIntentId?: string | null;
  readonly reference?: string | null;
  readonly metadata?: Readonly<Record<string, string>>;
};

/** An event as the gateway sends it; callback faults apply to those with `isOutcome`. */
export type Callback = {
  readonly id: string;
  readonly type: string;
  readonly body: unknown;
  readonly isOutcome: boolean;
};

/** A callback that is due, with its destination. */
export type DueCallback = {
  readonly id: string;
  readonly gateway: PspCode;
  readonly account: string;
  readonly pspReference: string;
  readonly position: bigint;
  readonly body: string;
  readonly fault: FaultKind | null;
  readonly attempts: number;
};

export type RecordedCall = {
  readonly pspReference: string;
  readonly operation: CallOperation | 'lapse' | 'dispute' | 'win_dispute';
  readonly outcome: string;
  readonly fault: string | null;
  readonly at: Date;
};

/** An HTTP answer of a gateway, with what the books record about it. */
export type Answer = {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly outcome: string;
  readonly pspReference?: string | undefined;
  /** True when nothing was tried: such an answer is never kept under an idempotency key. */
  readonly isRefusedUnseen?: boolean;
};

/** The operations on one payment: everything done here is committed together or not at all. */
export interface BooksTransaction {
  readonly now: Date;
  /** Reads the payment and locks it until the transaction ends. */
  lock(gateway: PspCode, pspReference: string): Promise<Payment | undefined>;
  findByReference(gateway: PspCode, account: string, reference: string): Promise<Payment[]>;
  listActions(pspReference: string): Promise<Action[]>;
  insert(payment: Payment): Promise<void>;
  save(payment: Payment): Promise<void>;
  insertAction(action: Action): Promise<void>;
  finishAction(id: string, status: 'succeeded' | 'failed'): Promise<Action>;
  schedule(work: Work): Promise<void>;
  emit(payment: Payment, callbacks: readonly Callback[], conduct: Conduct): Promise<void>;
  recordCall(call: RecordedCall): Promise<void>;
  /** Sets the final outcome of the newest call of this operation that still awaits one. */
  settleCall(pspReference: string, operation: CallOperation, outcome: string): Promise<void>;
  /** Keeps the answer under its idempotency key, together with the effect it reports. */
  keepAnswer(call: IdempotentCall, answer: Answer): Promise<void>;
}

export type KeyClaim =
  | { readonly kind: 'fresh' }
  | { readonly kind: 'replay'; readonly answer: Answer }
  | { readonly kind: 'in_use' }
  | { readonly kind: 'reused' };

export type IdempotentCall = {
  readonly gateway: PspCode;
  readonly account: string;
  readonly key: string;
  readonly fingerprint: string;
};

/** The sandbox's durable storage. */
export interface Books {
  transaction<T>(work: (tx: BooksTransaction) => Promise<T>): Promise<T>;
  find(gateway: PspCode, pspReference: string): Promise<Payment | undefined>;
  findByReference(gateway: PspCode, account: string, reference: string): Promise<Payment[]>;
  listActions(pspReference: string): Promise<Action[]>;
  findAction(id: string): Promise<Action | undefined>;
  findEvent(gateway: PspCode, account: string, id: string): Promise<string | undefined>;
  recordCall(call: RecordedCall): Promise<void>;
  /** Returns whether a callback of the payment is still to be sent. */
  hasOpenCallbacks(pspReference: string): Promise<boolean>;
  /** Draws the next fault that matches, counting it down, and returns the gateway's latency with it. */
  drawConduct(
    operation: Operation,
    subject: Subject,
  ): Promise<{ fault: Fault | undefined; latencyMs: number }>;
  /** Sets faults found in a payment's metadata, once per payment. */
  setOwnFaults(gateway: PspCode, owner: FaultOwner, rules: readonly FaultRule[]): Promise<void>;
  claimKey(call: IdempotentCall): Promise<KeyClaim>;
  releaseKey(call: IdempotentCall): Promise<void>;
}

/** The property that distinguishes a payment's own faults from those of another. */
export type FaultOwner = {
  readonly property: 'payment_intent_id' | 'reference' | 'psp_reference';
  readonly value: string;
};

/** A merchant's account at a gateway. */
export type Account = {
  readonly gateway: PspCode;
  readonly account: string;
  readonly publicIds: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** The merchant's name as payers see it at their bank. */
  readonly displayName?: string;
};

export type Endpoint = { readonly url: string; readonly secret: string };

export interface Accounts {
  /** Opens the account called `name`, or returns the one that already has the name. */
  open(
    fresh: Account & { readonly authenticatesWith: readonly string[] },
    o: { readonly name: string; readonly displayName: string | null; readonly webhookUrl: string | null },
  ): Promise<Account>;
  find(gateway: PspCode, account: string): Promise<Account | undefined>;
  findBySecret(gateway: PspCode, secret: string): Promise<Account | undefined>;
  findByPublicIds(gateway: PspCode, ids: Readonly<Record<string, string>>): Promise<Account | undefined>;
  setEndpoint(gateway: PspCode, endpoint: Endpoint): Promise<void>;
  /** Returns where an account's callbacks go: to its own address, else to the gateway's, else nowhere. */
  findEndpoint(gateway: PspCode, account: string): Promise<Endpoint | undefined>;
}
