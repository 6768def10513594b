import {
  FAITHFUL,
  type Answer,
  type BooksTransaction,
  type ExternalAction,
  type Payment,
} from '@gp/psp-sandbox/kit';
import { errorAnswer } from './errors.ts';
import type { PaymentC } from './payment.ts';
import { takeStep } from './steps.ts';

/**
 * Performs an action of the merchant by hand, or of a card holder's bank by post: no message reports a dispute.
 */
export async function act(tx: BooksTransaction, found: Payment, action: ExternalAction): Promise<Answer> {
  const payment = found as PaymentC;
  if (action !== 'dispute' && action !== 'win_dispute')
    return inStatus(await takeStep(tx, payment, action, { conduct: FAITHFUL }));
  const isDisputed = action === 'dispute';
  if (payment.status !== 'captured' || payment.isDisputed === isDisputed)
    return { ...errorAnswer('SIS0054'), status: 409 };
  await tx.save({ ...payment, isDisputed });
  return { status: 200, body: {}, outcome: 'ok' };
}

/** Moves an error to the status: this gateway's errors have status 200, but testers need to see them. */
const inStatus = (answer: Answer): Answer => ({ ...answer, status: answer.outcome === 'ok' ? 200 : 409 });
