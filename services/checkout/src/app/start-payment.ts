import type { ClientData, RequestOf, ResponseOf, startPayment as contract } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { failPoint } from '@gp/service';
import type { By, Gateways, Ledger } from './ports.ts';

type Start = RequestOf<typeof contract>;
type Started = ResponseOf<typeof contract>;
type Reservation = Awaited<ReturnType<Ledger['reserve']>>;

/** Left for giving the slots back when the gateway has used up its part of the caller's patience. */
const RELEASE_RESERVE_MS = 1_500;

/**
 * Starts a payment: the ledger takes the slots, then the gateway prepares the payment. Both steps are repeatable
 * under the command's id, so a retry after a crash at any point resumes; when the gateway cannot prepare, the
 * slots are given back within the same request, and should that fail too the reservation's timer does it.
 */
export function startPayment(o: {
  ledger: Ledger;
  gateways: Gateways;
}): (start: Start, by: By) => Promise<Started> {
  return async (start, by) => {
    const { principal: _principal, ...reserve } = start;
    const reservation = await o.ledger.reserve(reserve, by);
    failPoint('checkout.reserve.after');
    const client = await prepare(o, reservation, by);
    failPoint('checkout.prepare.after');
    const { intent } = reservation;
    return {
      psp_code: intent.psp_code,
      payment_intent_id: intent.id,
      amount_minor: intent.amount_minor,
      currency: intent.currency,
      slot_ids: intent.slot_ids,
      client,
    };
  };
}

async function prepare(
  o: { ledger: Ledger; gateways: Gateways },
  { intent, attempt, sandbox_fault, group_name, merchant_order_id }: Reservation,
  by: By,
): Promise<ClientData> {
  const { merchant_id, mode, group_id, id: intent_id } = intent;
  try {
    const prepared = await o.gateways.prepare(
      intent.psp_code,
      {
        merchant_id,
        mode,
        group_id,
        intent_id,
        attempt_id: attempt?.id ?? null,
        seq: attempt?.seq ?? 1,
        amount_minor: intent.amount_minor,
        currency: intent.currency,
        credential_version: intent.credential_version,
        sandbox_fault,
        description: `${group_name} (${merchant_order_id})`,
      },
      { deadline: by.deadline - RELEASE_RESERVE_MS },
    );
    return prepared.client;
  } catch (cause) {
    const error = asPublic(cause);
    const failure = { code: error.code, message: error.message, retryable: true };
    const attempt_id = attempt?.id ?? null;
    await o.ledger
      .release({ merchant_id, mode, group_id, intent_id, attempt_id, failure })
      .catch(() => undefined);
    throw error;
  }
}

/** An adapter that is away is, to the payer, a gateway that is away. */
function asPublic(cause: unknown): AppError {
  if (!(cause instanceof AppError)) return new AppError('internal_error', {}, { cause });
  const isAway = cause.code === 'service_unavailable' || cause.code === 'deadline_exceeded';
  return isAway ? new AppError('gateway_unavailable', { retryAfterSeconds: 5 }, { cause }) : cause;
}
