import { wholeList, wholePage, type Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import type { RpcContract } from '@gp/contracts';
import type { ServiceCalls } from '../app/ports.ts';

const TIMEOUT_MS = 10_000;
/** The durable event follows anyway: a ledger that is unavailable must not keep the merchant waiting. */
const NOTE_TIMEOUT_MS = 2_000;
/** A refund waits 20 s for its gateways; the rest is for reading the group and for the response. */
const REFUND_MS = 24_000;

export function buildServiceCalls(bus: Bus): ServiceCalls {
  const call =
    <Req, Res>(contract: RpcContract<Req, Res>, timeoutMs = TIMEOUT_MS) =>
    (request: Req): Promise<Res> =>
      bus.call(contract, request, { timeoutMs });
  const create = bus.coalesce(contracts.createGroup);
  return {
    putCredentials: (psp, request) => call(contracts.putCredentials(psp))(request),
    verifyCredentials: (psp, request) => call(contracts.verifyCredentials(psp))(request),
    noteGateway: async (connection) => void (await call(contracts.noteGateway, NOTE_TIMEOUT_MS)(connection)),
    rollCheckoutLink: call(contracts.rollCheckoutLink),
    rollOrganiserToken: call(contracts.rollOrganiserToken),
    revokeSessions: call(contracts.revokeSessions),
    createGroup: (command) => create(command, { deadline: Date.now() + TIMEOUT_MS }),
    listGroups: async (request) => {
      const page = await wholePage(call(contracts.listGroups), request, ({ groups }) => groups);
      return { ...page.first, groups: page.items, next: page.next };
    },
    sumGroups: call(contracts.sumGroups),
    searchGroups: call(contracts.searchGroups),
    listCustomers: call(contracts.listCustomers),
    findCustomer: call(contracts.findCustomer),
    searchCustomers: call(contracts.searchCustomers),
    listPaymentsOfCustomer: call(contracts.listPaymentsOfCustomer),
    describeGroup: call(contracts.describeGroup),
    listPayments: call(contracts.listPayments),
    listPaymentsOfGroups: call(contracts.listPaymentsOfGroups),
    previewRefund: call(contracts.previewRefund),
    cancelGroup: call(contracts.cancelGroup),
    sumMoney: call(contracts.sumMoney),
    findBalance: call(contracts.findBalance),
    findStatement: async (request) => {
      const ask = call(contracts.findStatement);
      const { first, items } = await wholeList(ask, request, ({ statements }) => statements);
      return { ...first, statements: items, is_cut: false };
    },
    listMovements: async (request) => {
      const page = await wholePage(call(contracts.listMovements), request, ({ movements }) => movements);
      return { ...page.first, movements: page.items, next: page.next };
    },
    countOpenGroups: call(contracts.countOpenGroups, NOTE_TIMEOUT_MS),
    requestRefund: call(contracts.requestRefund, REFUND_MS),
    createEndpoint: call(contracts.createEndpoint),
    listEndpoints: call(contracts.listEndpoints),
    findEndpoint: call(contracts.findEndpoint),
    updateEndpoint: call(contracts.updateEndpoint),
    deleteEndpoint: call(contracts.deleteEndpoint),
    rollSecret: call(contracts.rollSecret),
    listDeliveries: call(contracts.listDeliveries),
    listGroupDeliveries: call(contracts.listGroupDeliveries, NOTE_TIMEOUT_MS),
    resendDelivery: call(contracts.resendDelivery),
    sendTestEvent: call(contracts.sendTestEvent),
    startRecovery: call(contracts.startRecovery),
    findRecovery: call(contracts.findRecovery),
    sumAttempts: call(contracts.sumAttempts),
    listEvents: call(contracts.listEvents),
    findEvent: call(contracts.findEvent),
    listRequestLogs: call(contracts.listRequestLogs),
    findRequestLog: call(contracts.findRequestLog),
    findTestClock: call(contracts.findTestClock),
    advanceTestClock: call(contracts.advanceTestClock),
    resetTestClock: call(contracts.resetTestClock),
  };
}
