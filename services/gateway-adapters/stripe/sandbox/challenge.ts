import type { HttpRequest, HttpResponse } from '@gp/http';
import {
  amountText,
  type BooksTransaction,
  isSameSecret,
  issuerPages,
  type Stage,
  readTextField,
} from '@gp/psp-sandbox/kit';
import { findDecimals } from './amounts.ts';
import { holdFunds, refuseCard, withAttempt, type PlayedAttempt } from './attempt.ts';
import type { Challenge, PaymentA } from './payment.ts';
import { readForm } from './request.ts';

/** The browser library shows these pages over the shop's page. */
const pages = issuerPages(true);

/** Shows the issuer's page: one form with the payer's two choices. */
export async function showChallenge({ books, accounts }: Stage, request: HttpRequest): Promise<HttpResponse> {
  const payment = (await books.find('gateway_a', request.params['id'] ?? '')) as PaymentA | undefined;
  const open = payment && openChallenge(payment, request.params['token'] ?? '');
  if (!open) return pages.note(410, 'This question is closed.');
  const amount = amountText(payment.amountMinor, payment.currency, findDecimals(payment.currency));
  return pages.question(amount, (await accounts.find('gateway_a', payment.account))?.displayName);
}

/** Ends the attempt with the payer's choice, once; the browser then goes back to the shop's address. */
export async function answerChallenge({ books }: Stage, request: HttpRequest): Promise<HttpResponse> {
  const { id = '', token = '' } = request.params;
  const result = readTextField(readForm(request.rawBody.toString('utf8')), 'result');
  if (result !== 'authenticated' && result !== 'failed')
    return pages.note(400, 'Choose one of the two answers.');
  return books.transaction(async (tx) => {
    const payment = (await tx.lock('gateway_a', id)) as PaymentA | undefined;
    const challenge = payment && openChallenge(payment, token);
    if (!challenge) return pages.note(410, 'This question is closed.');
    const { payment: after } = await conclude(tx, payment, challenge, result === 'authenticated');
    const isHeld = after.authorisedMinor > 0n;
    await tx.settleCall(id, 'authorise', isHeld ? 'ok' : 'declined');
    return backToShop(after, challenge, isHeld);
  });
}

function conclude(
  tx: BooksTransaction,
  payment: PaymentA,
  challenge: Challenge,
  isPassed: boolean,
): Promise<PlayedAttempt> {
  const { behaviour, conduct } = challenge;
  const { attempts } = payment.details;
  const tried = withAttempt(
    { ...payment, details: { ...payment.details, attempts: attempts - 1 } },
    {},
    tx.now,
  );
  if (!isPassed) return refuseCard(tx, tried, 'authentication_failed', conduct);
  if (behaviour.decline) return refuseCard(tx, tried, behaviour.decline, conduct);
  return holdFunds(tx, tried, conduct);
}

function openChallenge(payment: PaymentA, token: string): Challenge | undefined {
  const { challenge } = payment.details;
  const isOpen = payment.status === 'created' || payment.status === 'declined';
  return challenge && isOpen && isSameSecret(token, challenge.token) ? challenge : undefined;
}

function backToShop(payment: PaymentA, { returnUrl }: Challenge, isHeld: boolean): HttpResponse {
  if (returnUrl === null) return pages.note(200, isHeld ? 'Authenticated.' : 'Not authenticated.');
  const url = new URL(returnUrl);
  url.searchParams.set('payment_intent', payment.pspReference);
  url.searchParams.set('payment_intent_client_secret', payment.details.clientSecret);
  url.searchParams.set('redirect_status', isHeld ? 'succeeded' : 'failed');
  return { status: 303, headers: { Location: url.href } };
}
