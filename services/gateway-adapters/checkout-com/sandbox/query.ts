import type { HttpRequest } from '@gp/http';
import { type Answer, type Reply, type Stage, computeWrongAmount } from '@gp/psp-sandbox/kit';
import { badRequest, dialect, REFUSED_BY_FAULT } from './errors.ts';
import { callAbout, findPayment } from './find.ts';
import type { PaymentB } from './payment.ts';
import { buildActionBody, buildPaymentBody } from './wire.ts';

/** `GET /payments/{id}`. */
export async function retrievePayment(stage: Stage, channel: string, request: HttpRequest): Promise<Reply> {
  const found = await findPayment(stage, channel, request.params['id'] ?? '');
  return stage.playCall(callAbout(found, 'query', request), async (tx, conduct): Promise<Answer> => {
    if (conduct.declines) return REFUSED_BY_FAULT;
    const now = ((await tx.lock('gateway_b', found.pspReference)) ?? found) as PaymentB;
    return { status: 200, body: buildPaymentBody(conduct.wrongAmount ? misread(now) : now), outcome: 'ok' };
  });
}

/** `GET /payments/{id}/actions`: returns the finished steps, newest first; an accepted one is not listed yet. */
export async function listActions(stage: Stage, channel: string, request: HttpRequest): Promise<Reply> {
  const found = await findPayment(stage, channel, request.params['id'] ?? '');
  return stage.playCall(callAbout(found, 'query', request), async (tx, conduct): Promise<Answer> => {
    if (conduct.declines) return REFUSED_BY_FAULT;
    // On the transaction's own connection: with a second connection per look-up, a few look-ups could block one another.
    const actions = await tx.listActions(found.pspReference);
    const body = actions
      .filter(({ status }) => status !== 'pending')
      .map((action) => buildActionBody(found, action));
    return { status: 200, body: body.reverse(), outcome: 'ok' };
  });
}

/** `GET /payments?reference=`: returns every try to which the merchant gave this reference. */
export async function searchPayments(stage: Stage, channel: string, request: HttpRequest): Promise<Reply> {
  const reference = request.query.get('reference');
  if (!reference) throw badRequest('reference_required');
  const found = (await stage.books.findByReference('gateway_b', channel, reference)) as PaymentB[];
  const subject = found[0] ?? { gateway: 'gateway_b' as const, account: channel, reference };
  const call = {
    operation: 'query',
    subject,
    idempotent: undefined,
    dialect,
    signal: request.signal,
  } as const;
  return stage.playCall(call, async (tx, conduct): Promise<Answer> => {
    if (conduct.declines) return REFUSED_BY_FAULT;
    const now = (await tx.findByReference('gateway_b', channel, reference)) as PaymentB[];
    const data = now.map((payment) => buildPaymentBody(conduct.wrongAmount ? misread(payment) : payment));
    return { status: 200, body: { limit: 100, skip: 0, total_count: data.length, data }, outcome: 'ok' };
  });
}

function misread(payment: PaymentB): PaymentB {
  const { amountMinor, authorisedMinor, capturedMinor } = payment;
  const wrong = (minor: bigint) => (minor > 0n ? computeWrongAmount(minor) : minor);
  return {
    ...payment,
    amountMinor: wrong(amountMinor),
    authorisedMinor: wrong(authorisedMinor),
    capturedMinor: wrong(capturedMinor),
  };
}
