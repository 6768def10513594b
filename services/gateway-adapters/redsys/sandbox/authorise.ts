import type { HttpRequest, HttpResponse } from '@gp/http';
import {
  type Answer,
  answering,
  type CardFault,
  type Conduct,
  type BooksTransaction,
  type Form,
  type ReadCard,
  readCard,
  type Stage,
  readTextField,
} from '@gp/psp-sandbox/kit';
import { holdFunds, refuseOrder } from './attempt.ts';
import { isMagicDenial, ownCards } from './cards.ts';
import { buildCodeAddress } from './challenge.ts';
import { CANCELLED_BY_PAYER, pageAnswer, pageDialect, toResponseCode } from './errors.ts';
import { callAbout, findOpenPage, lockOrder } from './find.ts';
import { cardPage, codePage, notePage } from './pages.ts';
import { isOpen, isSessionOver, type PaymentC } from './payment.ts';
import { buildCardAddress } from './prepare.ts';
import { readForm } from './request.ts';
import { backToShop, whenNotified } from './return.ts';

const closed = (): HttpResponse => notePage(410, 'This payment is over.');

/** `GET` of the card page, for a browser that returns to it. */
export async function showCardPage(stage: Stage, request: HttpRequest): Promise<HttpResponse> {
  const payment = await findOpenPage(stage, request);
  const isPayable = payment && isOpen(payment) && !isSessionOver(payment, stage.clock());
  return isPayable ? cardPage(payment, buildCardAddress(stage, payment)) : closed();
}

/**
 * Handles the payer's `pay` or `cancel`: shows 3-D Secure, or at once decides, notifies and sends the payer back.
 */
export async function submitCard(stage: Stage, request: HttpRequest): Promise<HttpResponse> {
  const found = await findOpenPage(stage, request);
  if (!found) return closed();
  const form = readForm(request.rawBody.toString('utf8'));
  const response = await answering(pageDialect.broken, () =>
    stage.playCall(callAbout(found, 'authorise', request, pageDialect), async (tx, conduct) => {
      const payment = await lockOrder(tx, found.pspReference);
      if (!isOpen(payment) || isSessionOver(payment, tx.now)) return pageAnswer(closed());
      return attempt(stage, tx, payment, form, conduct);
    }),
  );
  return whenNotified(stage, found, response);
}

async function attempt(
  stage: Stage,
  tx: BooksTransaction,
  payment: PaymentC,
  form: Form,
  conduct: Conduct,
): Promise<Answer> {
  const over = async (response: string): Promise<Answer> =>
    ended(stage, await refuseOrder(tx, payment, response, conduct));
  if (readTextField(form, 'cancel') !== undefined) return over(CANCELLED_BY_PAYER);
  const read = parseCard(form, tx.now);
  if (!read.ok)
    return pageAnswer(
      cardPage(payment, buildCardAddress(stage, payment), COMPLAINTS[read.fault]),
      'declined',
    );
  if (conduct.declines || isMagicDenial(payment.amountMinor, readTextField(form, 'cvv') ?? ''))
    return over(toResponseCode('generic_decline'));
  const { face: card, behaviour } = read;
  const tried: PaymentC = { ...payment, details: { ...payment.details, card } };
  if (behaviour.isChallenged) {
    const waiting: PaymentC = { ...tried, details: { ...tried.details, challenge: { behaviour, conduct } } };
    await tx.save(waiting);
    return pageAnswer(codePage(waiting, buildCodeAddress(stage, waiting)), 'requires_action');
  }
  if (behaviour.decline)
    return ended(stage, await refuseOrder(tx, tried, toResponseCode(behaviour.decline), conduct));
  return ended(stage, await holdFunds(tx, tried, conduct));
}

async function ended(stage: Stage, payment: PaymentC): Promise<Answer> {
  const isHeld = payment.authorisedMinor > 0n;
  return pageAnswer(await backToShop(stage, payment), isHeld ? 'ok' : 'declined');
}

const COMPLAINTS: Readonly<Record<CardFault, string>> = {
  number: 'The card number is not right.',
  expiry: 'The card has expired, or its date is not right.',
  cvc: 'The security code is not right.',
};

function parseCard(form: Form, now: Date): ReadCard {
  const year = Number(readTextField(form, 'expiry_year') || NaN);
  return readCard(
    {
      number: readTextField(form, 'card_number') ?? '',
      expMonth: Number(readTextField(form, 'expiry_month') || NaN),
      expYear: year < 100 ? 2000 + year : year,
      cvc: readTextField(form, 'cvv') ?? '',
    },
    now,
    ownCards,
  );
}
