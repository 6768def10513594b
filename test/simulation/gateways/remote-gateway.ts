import type { PspCode } from '@gp/contracts';
import { buildFailure, type Answer, type EffectOperation, type Truth } from '@gp/gateway';
import { findManifest } from '@gp/gateway-registry';
import type { Random } from '../runtime/random.ts';
import type { VirtualTime } from '../runtime/virtual-time.ts';
import type { Faults } from '../world/faults.ts';
import type { Process } from '../world/process.ts';
import { Books, type BookedPayment, type Effect } from './payment.ts';

/** An event of a payment, for the senders of callbacks. */
export type News = {
  readonly payment: BookedPayment;
  readonly type: string;
  readonly isDisputed: boolean | null;
};

const DAY_MS = 86_400_000;

/** How gateways differ in what they promise: one for each flow. */
const traits = {
  embedded: { hasKeys: true, showsDisputes: true, namesDeadline: true, isAsynchronous: false },
  server_confirm: { hasKeys: true, showsDisputes: false, namesDeadline: true, isAsynchronous: true },
  redirect: { hasKeys: false, showsDisputes: false, namesDeadline: false, isAsynchronous: false },
} as const;
const findTraits = (psp: PspCode) => traits[findManifest(psp).flow];

/** A payment gateway with its books: what it does with a request that has arrived. Time and faults come from outside. */
export class RemoteGateway {
  readonly psp: PspCode;
  readonly books = new Books();
  /** How long a hold lives here, ms. */
  readonly holdMs: number;
  readonly #answers = new Map<string, Answer>();
  readonly #time: VirtualTime;
  readonly #faults: Faults;
  readonly #random: Random;
  readonly #world: Process;
  readonly #tell: (news: News) => void;

  constructor(o: {
    psp: PspCode;
    time: VirtualTime;
    faults: Faults;
    random: Random;
    world: Process;
    tell: (news: News) => void;
  }) {
    this.psp = o.psp;
    this.#time = o.time;
    this.#faults = o.faults;
    this.#random = o.random;
    this.#world = o.world;
    this.#tell = o.tell;
    const canBeShort = findTraits(o.psp).namesDeadline && o.random.chance(0.3);
    this.holdMs = canBeShort ? o.random.between(3, 12) * 3_600_000 : 7 * DAY_MS;
  }

  newReference(): string {
    const digits = (): string => this.#random.between(0, 99_999_999).toString().padStart(8, '0');
    return `${this.psp.slice(-1)}${digits()}${digits()}`;
  }

  /** Makes a payment known; the payer has not acted yet. */
  open(
    o: Pick<BookedPayment, 'account' | 'mode' | 'attemptId' | 'amountMinor' | 'currency' | 'reference'>,
  ): BookedPayment {
    const known = this.books.find(o, { reference: o.reference, attemptId: null });
    if (known) return known;
    const payment: BookedPayment = {
      ...o,
      ...{ status: 'awaiting_payer', isOpenToPayer: true, captureBeforeMs: null, isDisputed: null },
      ...{ capturedMinor: 0n, refundedMinor: 0n, actions: [], effects: [] },
      visibleAtMs: this.#time.nowMs + (this.#faults.isHealed ? 0 : this.#random.between(0, 20_000)),
    };
    this.books.add(payment);
    return payment;
  }

  /** The issuer's decision about the payer's card. */
  decide(payment: BookedPayment, verdict: 'approve' | 'decline' | 'challenge'): void {
    if (!payment.isOpenToPayer) return;
    if (verdict === 'challenge') payment.status = 'authenticating';
    else if (verdict === 'decline') {
      payment.status = 'declined';
      // Where a payer confirms in the browser, another card may follow.
      payment.isOpenToPayer = findManifest(this.psp).flow === 'embedded';
    } else this.#hold(payment);
    this.#tell({ payment, type: `payment.${payment.status}`, isDisputed: null });
  }

  #hold(payment: BookedPayment): void {
    payment.status = 'authorised';
    payment.isOpenToPayer = false;
    if (this.#faults.happens('gatewayWrong')) payment.amountMinor -= 1n;
    payment.captureBeforeMs = this.#time.nowMs + this.holdMs;
    this.#note(payment, 'hold', 'payer', payment.amountMinor);
    this.#time.at(payment.captureBeforeMs, this.#world, () => this.#lapse(payment));
  }

  #lapse(payment: BookedPayment): void {
    if (payment.status !== 'authorised') return;
    payment.status = 'lapsed';
    this.#tell({ payment, type: 'payment.expired', isDisputed: null });
  }

  /** Carries out an order that has arrived; the same key again gets the same answer where the gateway has keys. */
  effect(operation: EffectOperation, payment: BookedPayment | undefined, key: string): Answer {
    const known = this.#answers.get(key);
    if (known && findTraits(this.psp).hasKeys) return known;
    const answer = payment ? this.#carryOut(operation, payment, key) : conflict('no such payment');
    if (answer.kind !== 'retryable') this.#answers.set(key, answer);
    return answer;
  }

  #carryOut(operation: EffectOperation, payment: BookedPayment, key: string): Answer {
    const refusal = this.#refuse(operation, payment, key);
    if (refusal) return refusal;
    if (!findTraits(this.psp).isAsynchronous || this.#random.chance(0.5))
      return this.#apply(operation, payment, key);
    payment.actions.push(action(operation, key, 'pending', payment.amountMinor));
    this.#time.after(this.#random.between(50, 30_000), this.#world, () => {
      payment.actions = payment.actions.filter(({ reference }) => reference !== key);
      const refused = this.#refuse(operation, payment, key);
      if (refused) payment.actions.push(action(operation, key, 'failed', payment.amountMinor));
      else this.#apply(operation, payment, key);
      if (refused) this.#tell({ payment, type: `${operation}.failed`, isDisputed: null });
    });
    return { kind: 'accepted' };
  }

  #refuse(operation: EffectOperation, payment: BookedPayment, key: string): Answer | undefined {
    const { status, capturedMinor, refundedMinor, isDisputed, isOpenToPayer } = payment;
    const isPending = payment.actions.some((one) => one.operation === operation && one.state === 'pending');
    if (isPending) return conflict('another one is pending');
    if (operation === 'void') return status === 'authorised' || isOpenToPayer ? undefined : conflict(status);
    if (operation === 'capture' && status !== 'authorised') return conflict(status);
    const isGivenBack = capturedMinor === 0n || refundedMinor >= capturedMinor;
    if (operation === 'refund' && (isGivenBack || isDisputed === true)) return conflict('nothing to refund');
    if (!this.#faults.happens('gatewayWrong')) return undefined;
    payment.actions.push(action(operation, key, 'failed', payment.amountMinor));
    return { kind: 'declined', failure: buildFailure('gateway_refused') };
  }

  #apply(operation: EffectOperation, payment: BookedPayment, key: string): Answer {
    const amountMinor = this.#move(operation, payment, 'order', key);
    payment.actions.push(action(operation, key, 'succeeded', amountMinor));
    this.#tell({ payment, type: `${operation}.succeeded`, isDisputed: null });
    const { reference: pspReference, currency } = payment;
    return { kind: 'approved', pspReference, amountMinor, currency, captureBefore: null };
  }

  #move(operation: EffectOperation, payment: BookedPayment, by: Effect['by'], key: string | null): bigint {
    const left = payment.capturedMinor - payment.refundedMinor;
    const amountMinor = operation === 'refund' ? left : payment.amountMinor;
    payment.isOpenToPayer = false;
    if (operation === 'capture') {
      payment.status = 'captured';
      payment.capturedMinor = amountMinor;
    } else if (operation === 'void') payment.status = 'voided';
    else payment.refundedMinor += amountMinor;
    this.#note(payment, operation, by, amountMinor, key);
    return amountMinor;
  }

  /** Actions of the merchant in the gateway's own dashboard. */
  actByHand(operation: EffectOperation, payment: BookedPayment): void {
    const isPossible =
      operation === 'refund'
        ? payment.capturedMinor > payment.refundedMinor && payment.isDisputed !== true
        : payment.status === 'authorised';
    if (!isPossible || payment.actions.some(({ state }) => state === 'pending')) return;
    const amountMinor = this.#move(operation, payment, 'merchant', null);
    payment.actions.push(action(operation, null, 'succeeded', amountMinor));
    this.#tell({ payment, type: `${operation}.by-hand`, isDisputed: null });
  }

  /** The card scheme opens or ends a dispute. */
  dispute(payment: BookedPayment, isDisputed: boolean): void {
    if (payment.status !== 'captured') return;
    payment.isDisputed = isDisputed;
    this.#tell({ payment, type: isDisputed ? 'dispute.opened' : 'dispute.won', isDisputed });
  }

  /** A refund of ours fails days after it succeeded. */
  bounce(payment: BookedPayment): void {
    const at = payment.actions.findIndex(
      (one) => one.operation === 'refund' && one.state === 'succeeded' && one.reference,
    );
    const refund = payment.actions[at];
    if (!refund) return;
    payment.actions[at] = { ...refund, state: 'failed', failure: buildFailure('reversed') };
    payment.refundedMinor -= refund.amountMinor;
    this.#note(payment, 'bounce', 'scheme', refund.amountMinor, refund.reference);
    this.#tell({ payment, type: 'refund.failed', isDisputed: null });
  }

  /** A capture of ours is taken back. */
  reverse(payment: BookedPayment): void {
    if (payment.status !== 'captured' || payment.refundedMinor > 0n) return;
    const amountMinor = payment.capturedMinor;
    payment.capturedMinor = 0n;
    payment.status = 'lapsed';
    payment.actions = payment.actions.map((one) =>
      one.operation === 'capture' ? { ...one, state: 'failed', failure: buildFailure('reversed') } : one,
    );
    this.#note(payment, 'reversal', 'scheme', amountMinor);
    this.#tell({ payment, type: 'capture.reversed', isDisputed: null });
  }

  readTruth(payment: BookedPayment): Truth {
    const {
      reference: pspReference,
      status,
      captureBeforeMs,
      amountMinor,
      capturedMinor,
      refundedMinor,
    } = payment;
    const { namesDeadline, showsDisputes } = findTraits(this.psp);
    return {
      ...{ pspReference, status, amountMinor, capturedMinor, refundedMinor, currency: payment.currency },
      captureBefore: namesDeadline && captureBeforeMs !== null ? new Date(captureBeforeMs) : null,
      isOpenToPayer: payment.isOpenToPayer,
      isDisputed: showsDisputes ? payment.isDisputed : null,
      failure: status === 'declined' ? buildFailure('card_declined') : null,
      actions: payment.actions.map((one) =>
        findTraits(this.psp).hasKeys ? one : { ...one, reference: null },
      ),
    };
  }

  #note(
    payment: BookedPayment,
    kind: Effect['kind'],
    by: Effect['by'],
    amountMinor: bigint,
    key: string | null = null,
  ): void {
    payment.effects.push({ kind, by, key, amountMinor, atMs: this.#time.nowMs });
  }
}

const conflict = (reason: string): Answer => ({ kind: 'conflict', reason });

function action(
  operation: EffectOperation,
  reference: string | null,
  state: 'pending' | 'succeeded' | 'failed',
  amountMinor: bigint,
): Truth['actions'][number] {
  return {
    operation,
    reference,
    state,
    amountMinor,
    failure: state === 'failed' ? buildFailure('gateway_refused') : null,
  };
}
