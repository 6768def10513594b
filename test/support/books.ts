import { sendUntilAnswered } from './api.ts';
import type { StackFile } from './stack.ts';

/** One payment as the gateway's own books have it. */
export type BookedPayment = {
  gateway: string;
  psp_reference: string;
  payment_intent_id: string;
  amount_minor: number | string;
  currency: string;
  status: string;
  authorised_minor: number | string;
  captured_minor: number | string;
  refunded_minor: number | string;
  calls: { operation: string; at: string; outcome: string }[];
};

/** The rows of the sandbox's gateways about one of our intents, over all its attempts. */
export async function bookedPayments(
  stack: StackFile,
  gateway: string,
  intentId: string,
): Promise<BookedPayment[]> {
  const url = `${stack.sandbox}/control/books?gateway=${gateway}&reference=${intentId}`;
  const { body } = await sendUntilAnswered('GET', url);
  return body['payments'] as BookedPayment[];
}
