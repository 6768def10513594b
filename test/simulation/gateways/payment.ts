import type { Action } from '@gp/gateway';

/** An effect in a gateway's books, and what caused it. */
export type Effect = {
  readonly kind: 'hold' | 'capture' | 'void' | 'refund' | 'reversal' | 'bounce';
  readonly by: 'order' | 'merchant' | 'payer' | 'scheme';
  readonly key: string | null;
  readonly amountMinor: bigint;
  readonly atMs: number;
};

/** One payment in the books of a simulated gateway. */
export type BookedPayment = {
  readonly reference: string;
  /** Our reference, where the gateway stores it. */
  attemptId: string | null;
  readonly account: string;
  readonly mode: string;
  amountMinor: bigint;
  currency: string;
  status: 'awaiting_payer' | 'authenticating' | 'authorised' | 'declined' | 'captured' | 'voided' | 'lapsed';
  isOpenToPayer: boolean;
  captureBeforeMs: number | null;
  capturedMinor: bigint;
  refundedMinor: bigint;
  isDisputed: boolean | null;
  actions: Action[];
  /** Queries do not find it before this instant. */
  visibleAtMs: number;
  readonly effects: Effect[];
};

/** The books of one gateway: its payments by account and mode. */
export class Books {
  readonly payments: BookedPayment[] = [];
  readonly #byReference = new Map<string, BookedPayment>();
  readonly #byAttempt = new Map<string, BookedPayment>();

  add(payment: BookedPayment): void {
    this.payments.push(payment);
    this.#byReference.set(toKey(payment, payment.reference), payment);
    if (payment.attemptId !== null) this.#byAttempt.set(toKey(payment, payment.attemptId), payment);
  }

  find(
    scope: { readonly account: string; readonly mode: string },
    named: { readonly reference: string | null; readonly attemptId: string | null },
  ): BookedPayment | undefined {
    const { reference, attemptId } = named;
    if (reference !== null) return this.#byReference.get(toKey(scope, reference));
    return attemptId === null ? undefined : this.#byAttempt.get(toKey(scope, attemptId));
  }
}

const toKey = (
  { account, mode }: { readonly account: string; readonly mode: string },
  name: string,
): string => `${mode} ${account} ${name}`;
