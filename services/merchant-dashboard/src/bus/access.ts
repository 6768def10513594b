import type { BusAccess } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { pspCodes } from '@gp/gateway-registry';

const { apiKeyChanged, gatewayChanged, groupChanged, logoChanged, settingsChanged } = contracts;

/** What the dashboard does on the bus; `npm run generate` writes its permissions from this and from its subscriptions. */
export const access: BusAccess = {
  name: 'merchant-dashboard',
  serves: [contracts.listAuditHeads, contracts.listAuditLinks, ...contracts.operatorCalls('merchant')],
  calls: [
    ...pspCodes.flatMap((psp) => [contracts.putCredentials(psp), contracts.verifyCredentials(psp)]),
    contracts.noteGateway,
    contracts.rollCheckoutLink,
    contracts.rollOrganiserToken,
    contracts.revokeSessions,
    contracts.createGroup,
    contracts.listGroups,
    contracts.sumGroups,
    contracts.searchGroups,
    contracts.listCustomers,
    contracts.findCustomer,
    contracts.searchCustomers,
    contracts.listPaymentsOfCustomer,
    contracts.describeGroup,
    contracts.listPayments,
    contracts.listPaymentsOfGroups,
    contracts.previewRefund,
    contracts.cancelGroup,
    contracts.sumMoney,
    contracts.findBalance,
    contracts.findStatement,
    contracts.listMovements,
    contracts.countOpenGroups,
    contracts.requestRefund,
    ...contracts.webhookCalls,
    contracts.listGroupDeliveries,
    contracts.sumAttempts,
    contracts.listRequestLogs,
    contracts.findRequestLog,
    contracts.findTestClock,
    contracts.advanceTestClock,
    contracts.resetTestClock,
    contracts.identifyOperator,
  ],
  publishes: [apiKeyChanged, gatewayChanged, logoChanged, settingsChanged].flatMap(({ filters }) => filters),
  listens: [`${groupChanged.subject}.*`],
};
