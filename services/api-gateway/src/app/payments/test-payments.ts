import { setTimeout as delay } from 'node:timers/promises';
import type {
  beginConfirmation,
  ClientData,
  PayerCard,
  PaymentView,
  PspCode,
  RequestOf,
} from '@gp/contracts';
import { AppError, type ErrorCode } from '@gp/errors';
import type { ServiceCalls } from '../ports.ts';
import type { confirmPayment } from './confirm-payment.ts';

/** From the start of a payment to the answer; load balancers cut a request after 30 s. */
export const TEST_PAYMENT_PATIENCE_MS = 28_000;
/** A callback of the sandbox takes a second; one that takes longer was lost, or is late on purpose. */
const VERDICT_WITHIN_MS = 8_000;
/** The time reserved for reading the payment when the sandbox has used up its part. */
const READ_RESERVE_MS = 2_000;
const ASK_AGAIN_MS = 150;
const MOST_PAYMENTS = 100;
/** On a card a payer without a name has this one. */
const PAYER_NAME = 'Test Payer';

type Begin = RequestOf<typeof beginConfirmation>;
type Scope = Pick<Begin, 'merchant_id' | 'mode'>;

/** A payment that was started and whose payer is to be played. */
export type Started = {
  readonly begin: Omit<Begin, 'return_url'>;
  readonly psp_code: PspCode;
  readonly client: ClientData;
  readonly card: PayerCard;
  readonly payerName: string | undefined;
};

export type TestPayments = {
  /** Rejects with `test_payments_unavailable` where no sandbox is there to play payers. */
  assertAvailable(): Promise<void>;
  /**
   * Plays the payer; resolves with the payment when the ledger knows that it is held or failed, and as it is at the deadline
   * (epoch ms). Played again it places no second hold.
   */
  play(started: Started, deadline: number): Promise<{ payment: PaymentView; currency: string }>;
};

/** Pays in test mode what `startPayment` started. `returnUrl` is a page of ours, for banks that want one. */
export function testPayments(o: {
  services: ServiceCalls;
  confirm: ReturnType<typeof confirmPayment>;
  returnUrl: string;
  verdictWithinMs?: number;
}): TestPayments {
  const { services, verdictWithinMs = VERDICT_WITHIN_MS } = o;

  async function pay({ begin, ...started }: Started, deadline: number): Promise<void> {
    const { psp_code, client, card, payerName } = started;
    const payer_name = payerName?.trim() || PAYER_NAME;
    const played = await services
      .playPayer({ psp_code, client, card, payer_name }, deadline)
      .catch(withoutPayer);
    if (!played?.card) return;
    const confirmed = await o
      .confirm({ ...begin, return_url: o.returnUrl }, played.card, deadline)
      .catch(unlessToldByLedger);
    if (confirmed?.status !== 'requires_action') return;
    const { url: page } = confirmed.next_action;
    await services.authenticatePayer({ psp_code, page, card }, deadline).catch(withoutPayer);
  }

  async function isDecided(sought: Scope & { intent_id: string }): Promise<boolean> {
    const { state } = await services.findIntent(sought);
    return state !== 'created' && state !== 'processing';
  }

  async function findPayment({ merchant_id, mode, group_id, payment_intent_id }: Started['begin']) {
    const asked = { merchant_id, mode, group_id, limit: MOST_PAYMENTS };
    for (let page = await services.listPayments(asked); ;) {
      const payment = page.payments.find(({ id }) => id === payment_intent_id);
      if (payment) return { payment, currency: page.currency };
      if (!page.next)
        throw new AppError('internal_error', {}, { cause: new Error('a payment is not listed') });
      page = await services.listPayments({ ...asked, after: page.next });
    }
  }

  return {
    async assertAvailable() {
      await services.findPayers({}).catch((cause: unknown) => {
        throw isOneOf(cause, ['service_unavailable', 'deadline_exceeded']) ? unavailable(cause) : cause;
      });
    },
    async play(started, deadline) {
      const { merchant_id, mode, payment_intent_id: intent_id } = started.begin;
      const sought = { merchant_id, mode, intent_id };
      if (!(await isDecided(sought))) {
        await pay(started, deadline - READ_RESERVE_MS);
        const until = Math.min(deadline - READ_RESERVE_MS, Date.now() + verdictWithinMs);
        while (!(await isDecided(sought)) && Date.now() < until) await delay(ASK_AGAIN_MS);
      }
      return findPayment(started.begin);
    },
  };
}

/** A sandbox that did not answer in time may have paid, which the ledger will know; one that was not reached has not. */
function withoutPayer(cause: unknown): undefined {
  if (isOneOf(cause, ['deadline_exceeded'])) return;
  throw isOneOf(cause, ['not_found', 'service_unavailable']) ? unavailable(cause) : cause;
}

/** A decline and an unknown outcome are what the ledger tells of the payment. */
function unlessToldByLedger(cause: unknown): undefined {
  if (!isOneOf(cause, ['card_declined', 'authentication_required', 'outcome_unknown'])) throw cause;
}

const unavailable = (cause: unknown): AppError => new AppError('test_payments_unavailable', {}, { cause });

const isOneOf = (cause: unknown, codes: readonly ErrorCode[]): boolean =>
  cause instanceof AppError && codes.includes(cause.code);
