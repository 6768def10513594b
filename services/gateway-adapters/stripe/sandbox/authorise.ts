import { randomBytes } from 'node:crypto';
import type { HttpRequest } from '@gp/http';
import {
  type Answer,
  type CardBehaviour,
  type CardFace,
  type CardFault,
  type Conduct,
  type BooksTransaction,
  type Form,
  mayBegin,
  readCard,
  type Reply,
  type Stage,
  readTextField,
} from '@gp/psp-sandbox/kit';
import type { Caller } from './account.ts';
import { holdFunds, refuseCard, withAttempt } from './attempt.ts';
import { buildEvents } from './callbacks.ts';
import { errorAnswer, refusalAnswer } from './errors.ts';
import { callAbout, findIntent, lockIntent } from './find.ts';
import type { Challenge, PaymentA } from './payment.ts';
import { readIdempotentCall, readConfirmation, wantsCharge } from './request.ts';
import { buildPaymentIntent } from './wire.ts';

type Presented = {
  readonly face: CardFace;
  readonly behaviour: CardBehaviour;
  readonly returnUrl: string | null;
};

/** `POST /payment_intents/{id}/confirm`: the payer submits a card. */
export async function confirm(
  stage: Stage,
  caller: Caller,
  request: HttpRequest,
  form: Form,
): Promise<Reply> {
  const id = request.params['id'] ?? '';
  const found = await findIntent(stage, caller, id, readTextField(form, 'client_secret'));
  const { card, returnUrl } = readConfirmation(form);
  const read = readCard(card, stage.clock());
  const call = callAbout(found, 'authorise', request, readIdempotentCall(request, caller.scope));
  return stage.playCall(call, async (tx, conduct) => {
    if (!read.ok) return unreadableCard(read.fault);
    const payment = await lockIntent(tx, id);
    const refusal = mayBegin(payment, 'authorise', payment.amountMinor, tx.now);
    if (refusal) return refusalAnswer(payment, 'confirm', refusal);
    const presented = { face: read.face, behaviour: read.behaviour, returnUrl };
    const answer = await attempt(stage, tx, payment, presented, conduct);
    return wantsCharge(form) ? withCharge(tx, id, answer) : answer;
  });
}

async function attempt(
  stage: Stage,
  tx: BooksTransaction,
  payment: PaymentA,
  { face, behaviour, returnUrl }: Presented,
  conduct: Conduct,
): Promise<Answer> {
  const tried = withAttempt(
    payment,
    { card: face, behaviour, wasChallenged: behaviour.isChallenged },
    tx.now,
  );
  if (conduct.declines) return (await refuseCard(tx, tried, 'generic_decline', conduct)).answer;
  if (behaviour.isChallenged) return challenge(stage, tx, tried, behaviour, returnUrl, conduct);
  if (behaviour.decline) return (await refuseCard(tx, tried, behaviour.decline, conduct)).answer;
  return (await holdFunds(tx, tried, conduct)).answer;
}

/** Requires 3-D Secure: the intent waits for the issuer's page. */
async function challenge(
  { publicUrl }: Stage,
  tx: BooksTransaction,
  payment: PaymentA,
  behaviour: CardBehaviour,
  returnUrl: string | null,
  conduct: Conduct,
): Promise<Answer> {
  const token = randomBytes(16).toString('hex');
  const url = `${publicUrl}/gateway_a/3ds/${payment.pspReference}/${token}`;
  const asked: Challenge = { token, url, returnUrl, behaviour, conduct };
  const waiting: PaymentA = {
    ...payment,
    details: { ...payment.details, challenge: asked, chargedAt: null },
  };
  await tx.save(waiting);
  await tx.emit(waiting, buildEvents(waiting, ['payment_intent.requires_action'], tx.now), conduct);
  return { status: 200, body: buildPaymentIntent(waiting), outcome: 'requires_action' };
}

async function withCharge(tx: BooksTransaction, id: string, answer: Answer): Promise<Answer> {
  if (answer.status !== 200) return answer;
  return { ...answer, body: buildPaymentIntent(await lockIntent(tx, id), true) };
}

const UNREADABLE: Readonly<Record<CardFault, readonly [code: string, param: string, message: string]>> = {
  number: ['incorrect_number', 'number', 'Your card number is incorrect.'],
  expiry: ['invalid_expiry_year', 'exp_year', "Your card's expiration date is invalid."],
  cvc: ['invalid_cvc', 'cvc', "Your card's security code is invalid."],
};

/** Returns the error for an invalid card: the intent stays as it was. */
function unreadableCard(fault: CardFault): Answer {
  const [code, param, message] = UNREADABLE[fault];
  return errorAnswer(402, { type: 'card_error', code, param, message }, 'declined');
}
