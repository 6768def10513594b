import { setTimeout as delay } from 'node:timers/promises';
import {
  buildPaymentRef,
  type ClientData,
  type RequestOf,
  type ResponseOf,
  type startPayment as contract,
} from '@gp/contracts';
import { AppError, catalogue } from '@gp/errors';
import type { NotePayment } from './mails/note-payment.ts';
import type { By, Gateways, Ledger } from './ports.ts';
import type { Limits } from './session-limits.ts';

type Start = RequestOf<typeof contract>;
type Started = ResponseOf<typeof contract>;
type Reservation = Awaited<ReturnType<Ledger['reserve']>>;

/** The time reserved for giving the slots back when the gateway has used up its part of the caller's deadline. */
const RELEASE_RESERVE_MS = 1_500;
/** The time reserved for the response, so that the caller gets the reason and not a timeout. */
const ANSWER_RESERVE_MS = 200;
/** The most characters of a reason that the ledger stores. */
const MAX_MESSAGE_LENGTH = 300;

/**
 * Starts a payment: the ledger takes the slots, then the gateway prepares the payment. Both steps are repeatable
 * under the command's id, so a retry after a crash at any point resumes; when the gateway cannot prepare, the
 * slots are given back within the same request, and should that fail too the reservation's timer does it. The
 * limits of a limited session are applied first.
 */
export function startPayment(o: {
  ledger: Ledger;
  gateways: Gateways;
  limits: Limits;
  /** Returns the address of a group's hosted page, without a slash at the end. */
  buildPageUrl: (pageToken: string) => string;
  /** Notes a payment for mails to its payer; absent where this installation sends none. */
  notePayment?: NotePayment | undefined;
}): (start: Start, by: By) => Promise<Started> {
  return async (start, by) => {
    const { principal: _principal, session_id, languages, ...reserve } = start;
    const within = session_id === undefined ? {} : await o.limits(session_id, start);
    const reservation = await o.ledger.reserve({ ...reserve, ...within }, by);
    await o.notePayment?.(reservation.intent, languages);
    const client = await prepare(o, reservation, by);
    const { intent } = reservation;
    return {
      psp_code: intent.psp_code,
      payment_intent_id: intent.id,
      amount_minor: intent.amount_minor,
      ...(intent.tip_minor !== undefined && { tip_minor: intent.tip_minor }),
      currency: intent.currency,
      slot_ids: intent.slot_ids,
      client,
    };
  };
}

async function prepare(
  o: { ledger: Ledger; gateways: Gateways; buildPageUrl: (pageToken: string) => string },
  reservation: Reservation,
  by: By,
): Promise<ClientData> {
  const { psp_code } = reservation.intent;
  const deadline = by.deadline - RELEASE_RESERVE_MS;
  try {
    const preparation = { ...toPreparation(reservation), return_url: buildReturnAddress(o, reservation) };
    return (await o.gateways.prepare(psp_code, preparation, { deadline })).client;
  } catch (cause) {
    const error = asPublic(cause);
    const released = o.ledger.release(toRelease(reservation, error)).catch(() => undefined);
    await atMostUntil(by.deadline - ANSWER_RESERVE_MS, released);
    throw error;
  }
}

/** Returns where the bank sends the payer: to the group's own page, which then reads the payment's status. */
function buildReturnAddress(
  o: { buildPageUrl: (pageToken: string) => string },
  { page_token, intent }: Reservation,
): string {
  return `${o.buildPageUrl(page_token)}?payment=${intent.id}`;
}

/** Used for gateways where a try begins only when it is confirmed. */
const NO_ATTEMPT = { id: null, seq: 1 };

function toPreparation({ intent, attempt, ...reservation }: Reservation) {
  return {
    ...buildPaymentRef(intent, attempt ?? NO_ATTEMPT, reservation.sandbox_fault),
    description: `${reservation.group_name} (${reservation.merchant_order_id})`,
  };
}

function toRelease({ intent, attempt }: Reservation, { code, message }: AppError) {
  const { merchant_id, mode, group_id, id: intent_id } = intent;
  const { retryable } = catalogue[code];
  const failure = { code, message: message.slice(0, MAX_MESSAGE_LENGTH), retryable };
  return { merchant_id, mode, group_id, intent_id, attempt_id: attempt?.id ?? null, failure };
}

/** The payer sees an unavailable adapter as an unavailable gateway. */
function asPublic(cause: unknown): AppError {
  if (!(cause instanceof AppError)) return new AppError('internal_error', {}, { cause });
  const isAway = cause.code === 'service_unavailable' || cause.code === 'deadline_exceeded';
  return isAway ? new AppError('gateway_unavailable', { retryAfterSeconds: 5 }, { cause }) : cause;
}

/** Waits for work, but no longer than until an instant; the work continues in the background. */
async function atMostUntil(instant: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const late = delay(Math.max(0, instant - Date.now()), undefined, { signal: done.signal });
  await Promise.race([work, late.catch(() => undefined)]);
  done.abort();
}
