import type { HttpRequest, HttpResponse } from '@gp/http';
import { type BooksTransaction, type Stage, readTextField } from '@gp/psp-sandbox/kit';
import { holdFunds, refuseOrder } from './attempt.ts';
import { magicValues } from '../manifest.ts';
import { toResponseCode } from './errors.ts';
import { findOpenPage, lockOrder } from './find.ts';
import { codePage, notePage } from './pages.ts';
import { isOpen, isSessionOver, type Challenge, type PaymentC } from './payment.ts';
import { readForm } from './request.ts';
import { backToShop, whenNotified } from './return.ts';

export const buildCodeAddress = ({ publicUrl }: Stage, { pspReference, details }: PaymentC): string =>
  `${publicUrl}/gateway_c/3ds/${pspReference}/${details.token}`;

const closed = (): HttpResponse => notePage(410, 'This question is closed.');

/** Shows the issuer's page to a browser that returns to it. */
export async function showChallenge(stage: Stage, request: HttpRequest): Promise<HttpResponse> {
  const payment = await findOpenPage(stage, request);
  return payment && findOpenChallenge(payment, stage.clock())
    ? codePage(payment, buildCodeAddress(stage, payment))
    : closed();
}

/** Ends the order with the payer's code, right or wrong, once. */
export async function answerChallenge(stage: Stage, request: HttpRequest): Promise<HttpResponse> {
  const found = await findOpenPage(stage, request);
  if (!found) return closed();
  const form = readForm(request.rawBody.toString('utf8'));
  const isRight =
    readTextField(form, 'code') === magicValues.rightCode && readTextField(form, 'result') !== 'failed';
  const response = await stage.books.transaction(async (tx) => {
    const payment = await lockOrder(tx, found.pspReference);
    const question = findOpenChallenge(payment, tx.now);
    if (!question) return closed();
    const after = await conclude(tx, payment, question, isRight);
    const isHeld = after.authorisedMinor > 0n;
    await tx.settleCall(after.pspReference, 'authorise', isHeld ? 'ok' : 'declined');
    return backToShop(stage, after);
  });
  return whenNotified(stage, found, response);
}

function conclude(
  tx: BooksTransaction,
  payment: PaymentC,
  question: Challenge,
  isRight: boolean,
): Promise<PaymentC> {
  const { behaviour, conduct } = question;
  if (!isRight) return refuseOrder(tx, payment, toResponseCode('authentication_failed'), conduct);
  if (behaviour.decline) return refuseOrder(tx, payment, toResponseCode(behaviour.decline), conduct);
  return holdFunds(tx, payment, conduct);
}

function findOpenChallenge(payment: PaymentC, now: Date): Challenge | null {
  return isOpen(payment) && !isSessionOver(payment, now) ? payment.details.challenge : null;
}
