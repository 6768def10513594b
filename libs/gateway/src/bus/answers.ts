import { byOperator, type Bus, type CallContext } from '@gp/bus';
import {
  confirmIntent,
  findPaymentByReference as findPaymentContract,
  findUnknownPayments as findUnknownPaymentsContract,
  prepareIntent,
  putCredentials,
  readBooks as readBooksContract,
  verifyCredentials,
  type RequestOf,
  type ResponseOf,
} from '@gp/contracts';
import type { Service } from '@gp/service';
import type { Adapter } from '../adapter.ts';
import { confirmPayment } from '../app/confirm-payment.ts';
import { enterCredentials } from '../app/enter-credentials.ts';
import { findPaymentByReference } from '../app/find-payment-by-reference.ts';
import { findUnknownPayments } from '../app/find-unknown-payments.ts';
import { preparePayment } from '../app/prepare-payment.ts';
import { readBooks } from '../app/read-books.ts';
import { checkCredentials } from '../app/check-credentials.ts';
import { decodePayment } from '../domain/gateway-payment.ts';

/** Serves every call to an adapter. */
export function answerCalls<C>(
  service: Pick<Service<unknown>, 'serve'>,
  bus: Bus,
  adapter: Adapter<C>,
): void {
  const { psp } = adapter;
  const prepare = preparePayment(adapter);
  service.serve(bus, prepareIntent(psp), (request, ctx) => prepare(decodePreparation(request, ctx)));
  service.serve(bus, putCredentials(psp), enterCredentials(adapter));
  service.serve(bus, verifyCredentials(psp), checkCredentials(adapter));
  service.serve(bus, readBooksContract(psp), readBooks(adapter));
  service.serve(bus, findUnknownPaymentsContract(psp), byOperator(findUnknownPayments(adapter)));
  service.serve(bus, findPaymentContract(psp), findPaymentByReference(adapter));
  if (adapter.gateway.authorise) service.serve(bus, confirmIntent(psp), confirmHandler(adapter, bus));
}

type PrepareCall = RequestOf<ReturnType<typeof prepareIntent>>;

function decodePreparation(r: PrepareCall, { deadline }: CallContext) {
  const { description, return_url: returnUrl = null } = r;
  const { payment, seq, credentialVersion } = decodePayment(r);
  return { order: { ...payment, description }, seq, credentialVersion, returnUrl, deadline };
}

type ConfirmCall = RequestOf<ReturnType<typeof confirmIntent>>;

function confirmHandler<C>(adapter: Adapter<C>, bus: Bus) {
  const confirm = confirmPayment(adapter, bus);
  return async (
    { ticket, card }: ConfirmCall,
    { deadline }: CallContext,
  ): Promise<ResponseOf<ReturnType<typeof confirmIntent>>> => {
    const { return_url: returnUrl = null } = ticket;
    const url = await confirm({ ...decodePayment(ticket), card, returnUrl, deadline });
    if (url === undefined) return { status: 'preauthorised' };
    return { status: 'requires_action', next_action: { type: 'redirect', url } };
  };
}
