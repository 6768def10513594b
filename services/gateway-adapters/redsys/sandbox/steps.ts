import type { HttpRequest } from '@gp/http';
import {
  finish,
  newId,
  computeWrongAmount,
  type Answer,
  type Conduct,
  type BooksTransaction,
  type Reply,
  type Stage,
} from '@gp/psp-sandbox/kit';
import { buildNotification } from './callbacks.ts';
import { dialect, refusalAnswer, toResponseCode } from './errors.ts';
import { callAbout, lockOrder } from './find.ts';
import type { PaymentC } from './payment.ts';
import { signed, type Version } from './signature.ts';
import { toDoneResponse, buildResultParameters, toTransactionType, type Result } from './wire.ts';

export type Step = 'capture' | 'void' | 'refund';

/** How the answer is to be signed. */
export type Signing = { readonly version: Version; readonly key: string };

/** A request of a merchant's server about an order that exists. */
export type Operation = {
  readonly found: PaymentC;
  readonly amountMinor: bigint;
  readonly signing: Signing;
  readonly request: HttpRequest;
};

/** Carries out an operation that is one step. */
export function playStep(
  stage: Stage,
  { found, amountMinor, signing, request }: Operation,
  step: 'capture' | 'void',
): Promise<Reply> {
  return stage.playCall(callAbout(found, step, request, dialect), async (tx, conduct) => {
    const payment = await lockOrder(tx, found.pspReference);
    return takeStep(tx, payment, step, { amountMinor, conduct, signing });
  });
}

const computeFullAmount = (payment: PaymentC, step: Step): bigint =>
  step === 'refund' ? payment.capturedMinor - payment.refundedMinor : payment.authorisedMinor;

/** Carries a step out on a locked order, at once: this gateway has no steps that finish later. */
export async function takeStep(
  tx: BooksTransaction,
  payment: PaymentC,
  step: Step,
  o: { amountMinor?: bigint; conduct: Conduct; signing?: Signing },
): Promise<Answer> {
  const { conduct, signing } = o;
  const asked = o.amountMinor ?? computeFullAmount(payment, step);
  const amountMinor = conduct.wrongAmount ? computeWrongAmount(asked) : asked;
  const decision = finish(payment, step, amountMinor, tx.now);
  if (!decision.ok) return refusalAnswer(step, decision.refusal, payment.status);
  const type = toTransactionType(step);
  if (conduct.declines)
    return signedAnswer(
      payment,
      { type, amountMinor, response: toResponseCode('generic_decline') },
      signing,
      'declined',
    );
  await tx.save(decision.payment);
  await tx.insertAction({
    id: newId('op_'),
    pspReference: payment.pspReference,
    type: step,
    amountMinor,
    status: 'succeeded',
    reference: null,
    metadata: {},
    reason: null,
    createdAt: tx.now,
  });
  const result = { type, amountMinor, response: toDoneResponse(step) };
  // Operations over REST only get their response; those made in the merchant's own dashboard are notified.
  const notifications =
    signing || payment.details.notifyUrl === null ? [] : [buildNotification(payment, result, tx.now)];
  await tx.emit(decision.payment, notifications, conduct);
  return signedAnswer(payment, result, signing, 'ok');
}

/** Returns the signed result of an operation on an order. */
export function signedAnswer(
  payment: PaymentC,
  result: Result,
  signing: Signing | undefined,
  outcome: string,
): Answer {
  const parameters = buildResultParameters(payment, result);
  if (!signing) return { status: 200, body: parameters, outcome };
  const body = signed(signing.version, signing.key, payment.pspReference, parameters);
  return { status: 200, body, outcome };
}
