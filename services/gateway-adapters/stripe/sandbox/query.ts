import type { HttpRequest } from '@gp/http';
import { type Answer, readListField, type Reply, type Stage, computeWrongAmount } from '@gp/psp-sandbox/kit';
import type { Caller } from './account.ts';
import { buildDispute } from './dispute.ts';
import { missing, REFUSED_BY_FAULT } from './errors.ts';
import { callAbout, findIntent } from './find.ts';
import { parseChargeIntentId, wasDisputed, type PaymentA } from './payment.ts';
import { readForm } from './request.ts';
import { buildCharge, buildPaymentIntent, buildRefund } from './wire.ts';

/** `GET /payment_intents/{id}`, also for a browser that knows the client secret. */
export async function retrieveIntent(stage: Stage, caller: Caller, request: HttpRequest): Promise<Reply> {
  const clientSecret = request.query.get('client_secret') ?? undefined;
  const found = await findIntent(stage, caller, request.params['id'] ?? '', clientSecret);
  const expandCharge = readListField(readForm(request.query.toString()), 'expand').includes('latest_charge');
  return look(stage, found, request, (payment) => buildPaymentIntent(payment, expandCharge));
}

/** `GET /charges/{id}`: only the latest attempt is kept as a charge. */
export async function retrieveCharge(stage: Stage, caller: Caller, request: HttpRequest): Promise<Reply> {
  const id = request.params['id'] ?? '';
  const found = await findIntent(stage, caller, parseChargeIntentId(id) ?? '', undefined);
  if (buildCharge(found).id !== id) throw missing('charge', id, 'id');
  return look(stage, found, request, buildCharge);
}

/** `GET /refunds/{id}`. */
export async function retrieveRefund(stage: Stage, caller: Caller, request: HttpRequest): Promise<Reply> {
  const id = request.params['id'] ?? '';
  const action = await stage.books.findAction(id);
  if (action?.type !== 'refund') throw missing('refund', id, 'id');
  const found = await findIntent(stage, caller, action.pspReference, undefined);
  return look(stage, found, request, (payment) => buildRefund(payment, action));
}

/** `GET /refunds?payment_intent=`: the refunds of one payment, newest first. */
export async function listRefunds(stage: Stage, caller: Caller, request: HttpRequest): Promise<Reply> {
  const found = await findIntent(stage, caller, request.query.get('payment_intent') ?? '', undefined);
  const refunds = (await stage.books.listActions(found.pspReference))
    .filter(({ type }) => type === 'refund')
    .reverse();
  return look(stage, found, request, (payment) => ({
    object: 'list',
    url: '/v1/refunds',
    has_more: false,
    data: refunds.map((refund) => buildRefund(payment, refund)),
  }));
}

/** `GET /disputes?payment_intent=`: the disputes of one payment. */
export async function listDisputes(stage: Stage, caller: Caller, request: HttpRequest): Promise<Reply> {
  const found = await findIntent(stage, caller, request.query.get('payment_intent') ?? '', undefined);
  return look(stage, found, request, (payment) => ({
    object: 'list',
    url: '/v1/disputes',
    has_more: false,
    data: wasDisputed(payment) ? [buildDispute(payment)] : [],
  }));
}

/** `GET /events/{id}`. */
export async function retrieveEvent({ books }: Stage, caller: Caller, request: HttpRequest): Promise<Reply> {
  const id = request.params['id'] ?? '';
  const body = await books.findEvent('gateway_a', caller.scope, id);
  if (body === undefined) throw missing('event', id, 'id');
  return found(JSON.parse(body));
}

/** `GET /account`: returns the account of these keys. */
export async function retrieveAccount(_stage: Stage, { scope }: Caller): Promise<Reply> {
  const capabilities = { card_payments: 'active', transfers: 'active' };
  const body = {
    id: scope,
    object: 'account',
    type: 'standard',
    charges_enabled: true,
    payouts_enabled: true,
  };
  return found({ ...body, details_submitted: true, country: 'US', default_currency: 'usd', capabilities });
}

const found = (body: unknown): Reply => ({ kind: 'answer', answer: { status: 200, body, outcome: 'ok' } });

/** Returns a payment in its state at the time of the response; or, by fault, one with wrong figures. */
function look(
  { playCall }: Stage,
  payment: PaymentA,
  request: HttpRequest,
  show: (payment: PaymentA) => unknown,
): Promise<Reply> {
  return playCall(callAbout(payment, 'query', request), async (tx, conduct): Promise<Answer> => {
    if (conduct.declines) return REFUSED_BY_FAULT.query();
    const now = ((await tx.lock('gateway_a', payment.pspReference)) ?? payment) as PaymentA;
    return { status: 200, body: show(conduct.wrongAmount ? misread(now) : now), outcome: 'ok' };
  });
}

function misread(payment: PaymentA): PaymentA {
  const { amountMinor, authorisedMinor, capturedMinor } = payment;
  const wrong = (minor: bigint) => (minor > 0n ? computeWrongAmount(minor) : minor);
  return {
    ...payment,
    amountMinor: wrong(amountMinor),
    authorisedMinor: wrong(authorisedMinor),
    capturedMinor: wrong(capturedMinor),
  };
}
