import type { HttpRequest, HttpResponse } from '@gp/http';
import {
  amountText,
  type BooksTransaction,
  FormError,
  isSameSecret,
  issuerPages,
  parseForm,
  type Stage,
  readTextField,
} from '@gp/psp-sandbox/kit';
import { findDecimals } from './amounts.ts';
import { holdFunds, refuseCard } from './attempt.ts';
import type { Challenge, PaymentB } from './payment.ts';

const pages = issuerPages(false);

/** Shows the issuer's page: one form with the payer's two choices. */
export async function showChallenge({ books, accounts }: Stage, request: HttpRequest): Promise<HttpResponse> {
  const payment = (await books.find('gateway_b', request.params['id'] ?? '')) as PaymentB | undefined;
  const open = payment && openChallenge(payment, request.params['token'] ?? '');
  if (!open) return pages.note(410, 'This question is closed.');
  const amount = amountText(payment.amountMinor, payment.currency, findDecimals(payment.currency));
  return pages.question(amount, (await accounts.find('gateway_b', payment.account))?.displayName);
}

/** Ends the try with the payer's choice, once; the browser then goes back to the shop's address. */
export async function answerChallenge({ books }: Stage, request: HttpRequest): Promise<HttpResponse> {
  const { id = '', token = '' } = request.params;
  const result = readChallengeResult(request);
  if (result !== 'authenticated' && result !== 'failed')
    return pages.note(400, 'Choose one of the two answers.');
  return books.transaction(async (tx) => {
    const payment = (await tx.lock('gateway_b', id)) as PaymentB | undefined;
    const challenge = payment && openChallenge(payment, token);
    if (!challenge) return pages.note(410, 'This question is closed.');
    const after = await conclude(tx, payment, challenge, result === 'authenticated');
    const isHeld = after.authorisedMinor > 0n;
    await tx.settleCall(id, 'authorise', isHeld ? 'ok' : 'declined');
    const address = isHeld ? after.details.successUrl : after.details.failureUrl;
    if (address === null) return pages.note(200, isHeld ? 'Authenticated.' : 'Not authenticated.');
    const url = new URL(address);
    url.searchParams.set('cko-payment-id', id);
    return { status: 303, headers: { Location: url.href } };
  });
}

function readChallengeResult(request: HttpRequest): string | undefined {
  try {
    return readTextField(parseForm(request.rawBody.toString('utf8')), 'result');
  } catch (e) {
    if (e instanceof FormError) return undefined;
    throw e;
  }
}

function conclude(
  tx: BooksTransaction,
  payment: PaymentB,
  challenge: Challenge,
  isPassed: boolean,
): Promise<PaymentB> {
  const { behaviour, conduct } = challenge;
  if (!isPassed) return refuseCard(tx, payment, 'authentication_failed', conduct);
  if (behaviour.decline) return refuseCard(tx, payment, behaviour.decline, conduct);
  return holdFunds(tx, payment, conduct);
}

function openChallenge(payment: PaymentB, token: string): Challenge | undefined {
  const { challenge } = payment.details;
  return challenge && payment.status === 'created' && isSameSecret(token, challenge.token)
    ? challenge
    : undefined;
}
