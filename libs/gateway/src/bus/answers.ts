import type { Bus, CallContext } from '@gp/bus';
import {
  confirmIntent,
  findStrays as findStraysContract,
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
import { findStrays } from '../app/find-strays.ts';
import { preparePayment } from '../app/prepare-payment.ts';
import { readBooks } from '../app/read-books.ts';
import { checkCredentials } from '../app/check-credentials.ts';
import { currencyOf } from '../domain/subject.ts';

/** Every question and command an adapter answers. */
export function answerCalls<C>(
  service: Pick<Service<unknown>, 'serve'>,
  bus: Bus,
  adapter: Adapter<C>,
): void {
  const { psp, accounts } = adapter;
  const prepare = preparePayment(adapter);
  service.serve(bus, prepareIntent(psp), (request, ctx) => prepare(preparationOf(request, ctx)));
  service.serve(bus, putCredentials(psp), async ({ merchant_id: merchantId, mode, credentials }) => ({
    version: await accounts.put({ merchantId, mode }, credentials),
  }));
  service.serve(bus, verifyCredentials(psp), checkCredentials(adapter));
  service.serve(bus, readBooksContract(psp), readBooks(adapter));
  service.serve(bus, findStraysContract(psp), findStrays(adapter));
  if (adapter.gateway.authorise) service.serve(bus, confirmIntent(psp), confirmHandler(adapter, bus));
}

type PrepareCall = RequestOf<ReturnType<typeof prepareIntent>>;

function preparationOf(r: PrepareCall, { deadline }: CallContext) {
  const order = {
    mode: r.mode,
    merchantId: r.merchant_id,
    groupId: r.group_id,
    intentId: r.intent_id,
    attemptId: r.attempt_id,
    amountMinor: BigInt(r.amount_minor),
    currency: currencyOf(r.currency),
    pspReference: null,
    sandboxFault: r.mode === 'test' ? r.sandbox_fault : null,
    description: r.description,
  };
  const { seq, credential_version: credentialVersion, return_url: returnUrl = null } = r;
  return { order, seq, credentialVersion, returnUrl, deadline };
}

type ConfirmCall = RequestOf<ReturnType<typeof confirmIntent>>;

function confirmHandler<C>(adapter: Adapter<C>, bus: Bus) {
  const confirm = confirmPayment(adapter, bus);
  return async (
    { ticket, card }: ConfirmCall,
    { deadline }: CallContext,
  ): Promise<ResponseOf<ReturnType<typeof confirmIntent>>> => {
    const payment = {
      mode: ticket.mode,
      merchantId: ticket.merchant_id,
      groupId: ticket.group_id,
      intentId: ticket.intent_id,
      attemptId: ticket.attempt_id,
      amountMinor: BigInt(ticket.amount_minor),
      currency: currencyOf(ticket.currency),
      pspReference: null,
      sandboxFault: ticket.mode === 'test' ? ticket.sandbox_fault : null,
    };
    const confirmation = {
      payment,
      seq: ticket.seq,
      credentialVersion: ticket.credential_version,
      card,
      deadline,
    };
    await confirm(confirmation);
    return { status: 'preauthorised' };
  };
}
