import { FAITHFUL, type Answer, type Desk, type ExternalAction, type Payment } from '@gp/psp-sandbox/kit';
import { errorAnswer } from './errors.ts';
import type { PaymentC } from './payment.ts';
import { takeStep } from './steps.ts';

/** What a merchant does by hand, or a card holder's bank by post: of a dispute, no message is sent. */
export async function act(desk: Desk, found: Payment, action: ExternalAction): Promise<Answer> {
  const payment = found as PaymentC;
  if (action !== 'dispute') return inStatus(await takeStep(desk, payment, action, { conduct: FAITHFUL }));
  if (payment.status !== 'captured' || payment.isDisputed) return { ...errorAnswer('SIS0054'), status: 409 };
  await desk.save({ ...payment, isDisputed: true });
  return { status: 200, body: {}, outcome: 'ok' };
}

/** Errors of this gateway travel with status 200; the tester's side wants to see them. */
const inStatus = (answer: Answer): Answer => ({ ...answer, status: answer.outcome === 'ok' ? 200 : 409 });
