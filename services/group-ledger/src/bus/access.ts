import type { BusAccess } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { pspCodes } from '@gp/gateway-registry';

const orders = pspCodes.flatMap((psp) =>
  contracts.GATEWAY_OPERATIONS.map((operation) => contracts.gatewayOperation(psp, operation)),
);

/** What the ledger does on the bus; `npm run generate` writes its permissions from this and from its subscriptions. */
export const access: BusAccess = {
  name: 'group-ledger',
  serves: [
    contracts.createGroup,
    contracts.noteGateway,
    contracts.findGroup,
    contracts.findGroupByPageToken,
    contracts.rollPageToken,
    contracts.listGroups,
    contracts.sumGroups,
    contracts.findGroupByOrder,
    contracts.searchGroups,
    contracts.findIntent,
    contracts.listPayments,
    contracts.listPaymentsOfGroups,
    contracts.listPaymentsOfCustomer,
    contracts.listCustomers,
    contracts.findCustomer,
    contracts.findCustomers,
    contracts.searchCustomers,
    contracts.reserveSlots,
    contracts.releaseIntent,
    contracts.beginAuthorisation,
    contracts.recordOutcome,
    contracts.cancelGroup,
    contracts.updateGroup,
    contracts.openRefund,
    contracts.findRefund,
    contracts.previewRefund,
    contracts.describeGroup,
    contracts.sumMoney,
    contracts.countOpenGroups,
    contracts.findBalance,
    contracts.findStatement,
    contracts.inspectGroup,
    contracts.retryCaptures,
    contracts.giveUpCaptures,
    contracts.askGateway,
    contracts.forgetCustomer,
    contracts.startReconciliation,
    contracts.findReconciliation,
    contracts.listReconciliations,
    ...contracts.operatorCalls('ledger'),
    ...contracts.testClockCalls('ledger'),
  ],
  calls: pspCodes.map(contracts.readBooks),
  publishes: [...orders, contracts.changeTimers, contracts.refundProgressed, contracts.publicEvents].flatMap(
    ({ filters }) => filters,
  ),
  announces: [`${contracts.groupChanged.subject}.*`],
  // A bus that lost its disk gets its streams again without an operator: from the service that decides about money.
  ownsStreams: true,
};
