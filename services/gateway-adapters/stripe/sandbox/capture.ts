import type { HttpRequest } from '@gp/http';
import {
  type Answer,
  type Conduct,
  type BooksTransaction,
  finish,
  type Form,
  LATER_MS,
  mayBegin,
  type Reply,
  type Stage,
  computeWrongAmount,
} from '@gp/psp-sandbox/kit';
import type { Caller } from './account.ts';
import { buildEvents } from './callbacks.ts';
import { REFUSED_BY_FAULT, refusalAnswer } from './errors.ts';
import { callAbout, findIntent, lockIntent } from './find.ts';
import type { PaymentA } from './payment.ts';
import { allowOnly, readIdempotentCall, parseInteger, parseMetadata, wantsCharge } from './request.ts';
import { buildPaymentIntent } from './wire.ts';

// prettier-ignore
const PARAMETERS = [
  'amount_to_capture', 'application_fee_amount', 'metadata', 'statement_descriptor_suffix', 'final_capture', 'expand',
];

/** `POST /payment_intents/{id}/capture`: captures the whole hold or the requested part. */
export async function capture(
  stage: Stage,
  caller: Caller,
  request: HttpRequest,
  form: Form,
): Promise<Reply> {
  const found = await findIntent(stage, caller, request.params['id'] ?? '', undefined);
  allowOnly(form, ...PARAMETERS);
  const amount = parseInteger(form, 'amount_to_capture');
  const metadata = parseMetadata(form);
  const call = callAbout(found, 'capture', request, readIdempotentCall(request, caller.scope));
  return stage.playCall(call, async (tx, conduct) => {
    const payment = await lockIntent(tx, found.pspReference);
    const asked = { ...payment, metadata: { ...payment.metadata, ...metadata } };
    const wanted = amount === undefined ? undefined : BigInt(amount);
    return captureNow(tx, asked, wanted, conduct, wantsCharge(form));
  });
}

/** Captures a locked payment. With `failsLater` the response is a success, and the scheme reverses it later. */
export async function captureNow(
  tx: BooksTransaction,
  payment: PaymentA,
  wanted: bigint | undefined,
  conduct: Conduct,
  expandCharge = false,
): Promise<Answer> {
  const asked = wanted ?? payment.authorisedMinor;
  const amountMinor = conduct.wrongAmount ? computeWrongAmount(asked) : asked;
  const refusal = mayBegin(payment, 'capture', amountMinor, tx.now);
  if (refusal) return refusalAnswer(payment, 'capture', refusal);
  if (conduct.declines) return REFUSED_BY_FAULT.capture();
  const decision = finish(payment, 'capture', amountMinor, tx.now);
  if (!decision.ok) return refusalAnswer(payment, 'capture', decision.refusal);
  const { payment: captured } = decision;
  await tx.save(captured);
  await tx.emit(
    captured,
    buildEvents(captured, ['charge.captured', 'payment_intent.succeeded'], tx.now),
    conduct,
  );
  if (conduct.failsLater) {
    const { gateway, pspReference } = captured;
    const dueAt = new Date(tx.now.getTime() + LATER_MS);
    await tx.schedule({
      gateway,
      pspReference,
      kind: 'fail',
      step: 'capture',
      actionId: null,
      callbacks: 'plain',
      dueAt,
    });
  }
  return { status: 200, body: buildPaymentIntent(captured, expandCharge), outcome: 'ok' };
}
