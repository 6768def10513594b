import type { BusAccess } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { pspCodes } from '@gp/gateway-registry';

/** What the operators' command line does on the bus; `npm run generate` writes its permissions from this. */
export const access: BusAccess = {
  name: 'operator',
  calls: [
    ...contracts.OPERATED.flatMap(contracts.operatorCalls),
    ...pspCodes.map(contracts.findUnknownPayments),
    ...pspCodes.map(contracts.findPaymentByReference),
    contracts.listAuditHeads,
    contracts.listAuditLinks,
    contracts.inspectGroup,
    contracts.findGroupByOrderForOperator,
    contracts.listGroupsForOperator,
    contracts.findTimers,
    contracts.cancelGroupAsOperator,
    contracts.retryCaptures,
    contracts.giveUpCaptures,
    contracts.askGateway,
    contracts.forgetCustomer,
    contracts.startReconciliation,
    contracts.findReconciliation,
    contracts.listReconciliations,
    contracts.replaceSigningKeys,
    contracts.addOperatorKey,
    contracts.listOperatorKeys,
    contracts.revokeOperatorKey,
  ],
};
