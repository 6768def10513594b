import type { Bus, CallContext } from '@gp/bus';
import {
  confirmIntent,
  findStrays as findStraysContract,
  GATEWAY_OPERATIONS,
  gatewayOperation,
  prepareIntent,
  putCredentials,
  readBooks as readBooksContract,
  verifyCredentials,
  type GatewayOperation,
  type RequestOf,
  type ResponseOf,
} from '@gp/contracts';
import { recordDeadLetter } from '@gp/outbox';
import type { Service } from '@gp/service';
import type { Adapter } from '../adapter.ts';
import { confirmPayment } from '../app/confirm-payment.ts';
import { findStrays } from '../app/find-strays.ts';
import { preparePayment } from '../app/prepare-payment.ts';
import { readBooks } from '../app/read-books.ts';
import { queryPayment } from '../app/query-payment.ts';
import { runOperation } from '../app/run-operation.ts';
import { checkCredentials } from '../app/check-credentials.ts';
import { currencyOf } from '../domain/subject.ts';
import { handleOperation } from './operation.handler.ts';

/**
 * Orders in hand at once, per operation: each operation has a consumer of its own, so that a thousand voids cannot
 * stand in front of a capture. More than the account's budget lets through at a time only wait.
 */
const IN_FLIGHT = 32;
/** Everything an adapter hears on the bus. */
export function subscribe<C>(service: Service<unknown>, bus: Bus, adapter: Adapter<C>): void {
  const { psp, accounts, db, settings } = adapter;
  const prepare = preparePayment(adapter);
  service.serve(bus, prepareIntent(psp), (request, ctx) => prepare(preparationOf(request, ctx)));
  service.serve(bus, putCredentials(psp), async ({ merchant_id: merchantId, mode, credentials }) => ({
    version: await accounts.put({ merchantId, mode }, credentials),
  }));
  service.serve(bus, verifyCredentials(psp), checkCredentials(adapter));
  service.serve(bus, readBooksContract(psp), readBooks(adapter));
  service.serve(bus, findStraysContract(psp), findStrays(adapter));
  if (adapter.gateway.authorise) service.serve(bus, confirmIntent(psp), confirmHandler(adapter, bus));

  const handler = handleOperation({
    runOperation: runOperation(adapter),
    queryPayment: queryPayment(adapter),
  });
  for (const operation of GATEWAY_OPERATIONS) {
    service.consume(bus, {
      durable: `${psp}-${operation}`,
      stream: 'COMMANDS',
      filters: [gatewayOperation(psp, operation).subject],
      maxInFlight: IN_FLIGHT,
      // Orders of a replica that died are free when its rows are.
      ackWaitMs: settings.leaseMs,
      keyOf: ({ payload }) => (payload as GatewayOperation).intent_id,
      handler,
      onDead: (dead) => recordDeadLetter(db, dead),
      healthy: () =>
        db.ping().then(
          () => true,
          () => false,
        ),
    });
  }
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
