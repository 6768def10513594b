import {
  type Action,
  type Answer,
  type Conduct,
  type BooksTransaction,
  FAITHFUL,
  mayBegin,
  newId,
  computeWrongAmount,
} from '@gp/psp-sandbox/kit';
import { REFUSED_BY_FAULT, refusalAnswer } from './errors.ts';
import type { PaymentB } from './payment.ts';

export type Step = 'capture' | 'void' | 'refund';

export type StepWish = {
  readonly amountMinor?: bigint | undefined;
  readonly reference?: string | null;
  readonly metadata?: Readonly<Record<string, string>>;
};

/** Returns the amount of a step whose request names none: the whole rest. */
function computeFullAmount(payment: PaymentB, step: Step): bigint {
  return step === 'refund' ? payment.capturedMinor - payment.refundedMinor : payment.authorisedMinor;
}

/**
 * Accepts a step on a locked payment: 202 now, the outcome later by callback and look-up. The payment does not
 * show it until then, except that no second step is accepted meanwhile.
 */
export async function acceptStep(
  tx: BooksTransaction,
  payment: PaymentB,
  step: Step,
  wish: StepWish,
  conduct: Conduct,
  delayMs = 0,
): Promise<Answer> {
  const asked = wish.amountMinor ?? computeFullAmount(payment, step);
  const amountMinor = conduct.wrongAmount && step !== 'void' ? computeWrongAmount(asked) : asked;
  const refusal = mayBegin(payment, step, amountMinor, tx.now);
  if (refusal) return refusalAnswer(step, refusal);
  if (conduct.declines) return REFUSED_BY_FAULT;
  const action = newAction(payment, step, amountMinor, wish, tx.now);
  await tx.insertAction(action);
  await tx.save({ ...payment, pendingStep: step });
  const dueAt = new Date(tx.now.getTime() + delayMs);
  const failsLater =
    conduct.failsLater || (step === 'refund' && payment.details.behaviour.refund === 'fails_later');
  const kind = failsLater ? 'fail' : 'confirm';
  const { gateway, pspReference } = payment;
  const { callbacks } = conduct;
  await tx.schedule({ gateway, pspReference, kind, step, actionId: action.id, callbacks, dueAt });
  const body = {
    action_id: action.id,
    ...(action.reference && { reference: action.reference }),
    _links: { payment: { href: `/payments/${pspReference}` } },
  };
  return { status: 202, body, outcome: 'accepted' };
}

function newAction(p: PaymentB, type: Step, amountMinor: bigint, wish: StepWish, now: Date): Action {
  return {
    id: newId('act_'),
    pspReference: p.pspReference,
    type,
    amountMinor,
    status: 'pending',
    reference: wish.reference ?? null,
    metadata: wish.metadata ?? {},
    reason: null,
    createdAt: now,
  };
}

/** Returns the conduct of a step that finishes by itself, long after the call that began it. */
export const toOutcomeConduct = (callbacks: Conduct['callbacks']): Conduct => ({ ...FAITHFUL, callbacks });
