import { choices, type Client, type Payment, type TestCard } from '@group-payments/client';
import { CommandFailure, EXIT } from './failure.ts';
import { doOnce } from './once.ts';

/** How a payer pays in the sandbox. */
export type Payer = { readonly email: string; readonly name: string; readonly card: TestCard };

/** Cards of the sandbox, by the names that the API knows. */
export const CARDS = choices.TestCard;

/** A payment that the gateway has told nothing about yet. */
const OPEN: readonly string[] = ['created', 'processing'];

/**
 * Pays these slots (all that are unassigned where none are named) as a payer with a test card. Rejects with a CommandFailure
 * when the card is declined, or when the gateway has not told yet whether the payment is held.
 */
export async function paySlots(
  client: Client,
  o: {
    readonly groupId: string;
    readonly payer: Payer;
    readonly slotIds?: readonly string[] | undefined;
    readonly tip?: number | undefined;
    readonly showName?: boolean | undefined;
    readonly timeZone?: string | undefined;
    readonly idempotencyKey?: string | undefined;
  },
): Promise<Payment> {
  const { groupId, payer, slotIds, tip, showName, timeZone, idempotencyKey } = o;
  const body = {
    customer_email: payer.email,
    customer_name: payer.name,
    card: payer.card,
    ...(slotIds && { slot_ids: slotIds }),
    ...(tip !== undefined && { tip }),
    ...(showName && { show_name: true }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
  };
  const payment = await doOnce(idempotencyKey, (call) => client.createTestPayment(groupId, body, call));
  const { payment_intent_id, failure } = payment;
  if (payment.state === 'failed')
    throw new CommandFailure(
      `The payment ${payment_intent_id} failed: ${failure?.message ?? 'the card was declined'}.`,
      EXIT.failed,
      { code: 'payment_failed', payment_intent_id, failure },
    );
  if (OPEN.includes(payment.state))
    throw new CommandFailure(
      `The gateway has not told yet whether the payment ${payment_intent_id} is held; \`gp payments show\` will.`,
      EXIT.failed,
      { code: 'payment_pending', payment_intent_id },
    );
  return payment;
}
