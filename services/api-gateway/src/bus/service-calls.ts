import { wholeList, wholePage, type Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import type { AuthorisationTicket, ResponseOf, RpcContract } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { pspCodesWithFlow } from '@gp/gateway-registry';
import { span } from '@gp/telemetry';
import type { ServiceCalls } from '../app/ports.ts';
import { between } from '../fail-points.ts';

/** The caller of a longer read or write at the ledger has given up. */
const SHORT_MS = 5_000;
/** A gateway that prepares a payment may use most of this. */
const PAY_MS = 20_000;
/** Longer than the bus waits for a sandbox that is being restarted. */
const SANDBOX_MS = 3_000;
/** A refund waits 20 s for its gateways; the rest is for opening it and for the response. */
const REFUND_MS = 24_000;

/** The other services, over the bus. Creates that queue while a message is in flight share the next one. */
export function buildServiceCalls(bus: Bus): ServiceCalls {
  const create = bus.coalesce(contracts.createGroup);
  const call =
    <Req, Res>(contract: RpcContract<Req, Res>) =>
    (request: Req): Promise<Res> =>
      bus.call(contract, request, { timeoutMs: SHORT_MS });
  return {
    createGroup: (command) => between('create', () => create(command, { deadline: Date.now() + SHORT_MS })),
    findGroup: call(contracts.findGroup),
    listGroups: async (request) => {
      const deadline = Date.now() + SHORT_MS;
      const ask = (part: typeof request) => bus.call(contracts.listGroups, part, until(deadline));
      const { first, items, next } = await wholePage(ask, request, ({ groups }) => groups);
      return { ...first, groups: items, next };
    },
    findIntent: call(contracts.findIntent),
    listPayments: call(contracts.listPayments),
    listPaymentsOfGroups: async (request) => {
      const deadline = Date.now() + SHORT_MS;
      const groups: ResponseOf<typeof contracts.listPaymentsOfGroups>['groups'] = [];
      while (groups.length < request.group_ids.length) {
        const rest = { ...request, group_ids: request.group_ids.slice(groups.length) };
        groups.push(...(await bus.call(contracts.listPaymentsOfGroups, rest, until(deadline))).groups);
      }
      return { groups };
    },
    listPaymentsOfCustomer: call(contracts.listPaymentsOfCustomer),
    listCustomers: call(contracts.listCustomers),
    findCustomer: call(contracts.findCustomer),
    findCustomers: call(contracts.findCustomers),
    findBalance: call(contracts.findBalance),
    findStatement: async (request) => {
      const deadline = Date.now() + SHORT_MS;
      const ask = (part: typeof request) => bus.call(contracts.findStatement, part, until(deadline));
      const { first, items } = await wholeList(ask, request, ({ statements }) => statements);
      return { ...first, statements: items, is_cut: false };
    },
    cancelGroup: call(contracts.cancelGroup),
    updateGroup: call(contracts.updateGroup),
    startPayment: (request) =>
      between('pay', () => bus.call(contracts.startPayment, request, { timeoutMs: PAY_MS })),
    beginConfirmation: (request, deadline) =>
      between('confirm-begin', () => bus.call(contracts.beginConfirmation, request, until(deadline))),
    confirmIntent: (request, deadline) =>
      between('confirm-card', () =>
        // The span joins the trace of the request that created the payment, so that one trace shows the whole
        // payment.
        span('confirm with the card', { continues: request.ticket.traceparent }, () =>
          bus.call(selectConfirmContract(request.ticket), request, until(deadline)),
        ),
      ),
    findPayers: (request) => bus.call(contracts.findPayers, request, { timeoutMs: SANDBOX_MS }),
    playPayer: (request, deadline) => bus.call(contracts.playPayer, request, until(deadline)),
    authenticatePayer: (request, deadline) => bus.call(contracts.authenticatePayer, request, until(deadline)),
    requestRefund: (request) =>
      between('refund', () => bus.call(contracts.requestRefund, request, { timeoutMs: REFUND_MS })),
    rollCheckoutLink: call(contracts.rollCheckoutLink),
    rollOrganiserToken: call(contracts.rollOrganiserToken),
    mintSession: call(contracts.mintSession),
    listSigningKeys: call(contracts.listSigningKeys),
    createEndpoint: call(contracts.createEndpoint),
    listEndpoints: call(contracts.listEndpoints),
    findEndpoint: call(contracts.findEndpoint),
    updateEndpoint: call(contracts.updateEndpoint),
    deleteEndpoint: call(contracts.deleteEndpoint),
    rollSecret: call(contracts.rollSecret),
    listDeliveries: call(contracts.listDeliveries),
    resendDelivery: call(contracts.resendDelivery),
    sendTestEvent: call(contracts.sendTestEvent),
    startRecovery: call(contracts.startRecovery),
    findRecovery: call(contracts.findRecovery),
    listEvents: call(contracts.listEvents),
    findEvent: call(contracts.findEvent),
    locateEvent: call(contracts.locateEvent),
    followEvents: call(contracts.followEvents),
    findTestClock: call(contracts.findTestClock),
    advanceTestClock: call(contracts.advanceTestClock),
    resetTestClock: call(contracts.resetTestClock),
  };
}

/**
 * Returns the call of the adapter that authorises. A ticket from checkout 1.0 has no `psp_code`; that version
 * supported only one gateway whose flow is `server_confirm`.
 */
function selectConfirmContract({ psp_code = pspCodesWithFlow('server_confirm')[0] }: AuthorisationTicket) {
  if (!psp_code) throw new AppError('confirm_not_supported');
  return contracts.confirmIntent(psp_code);
}

/** Only the deadline counts, not the shorter default of the bus. */
const until = (deadline: number) => ({ deadline, timeoutMs: deadline - Date.now() });
