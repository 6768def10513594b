import type { BusAccess } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { findManifest, pspCodes } from '@gp/gateway-registry';
import { FAILED } from './limit-notes.ts';

const notes = [contracts.limitsSpent, contracts.declinesReported, contracts.declinesAsked].map(
  ({ subject }) => subject,
);
const facts = [
  contracts.apiKeyChanged,
  contracts.sessionEpochRaised,
  contracts.settingsChanged,
  contracts.signingKeysChanged,
].flatMap(({ filters }) => filters);

/** What api-gateway does on the bus; `npm run generate` writes its permissions from this and from its subscriptions. */
export const access: BusAccess = {
  name: 'api-gateway',
  serves: [contracts.listRequestLogs, contracts.findRequestLog, ...contracts.operatorCalls('api_gateway')],
  calls: [
    contracts.createGroup,
    contracts.findGroup,
    contracts.listGroups,
    contracts.findIntent,
    contracts.listPayments,
    contracts.listPaymentsOfGroups,
    contracts.listPaymentsOfCustomer,
    contracts.listCustomers,
    contracts.findCustomer,
    contracts.findCustomers,
    contracts.findBalance,
    contracts.findStatement,
    contracts.startPayment,
    contracts.beginConfirmation,
    ...pspCodes.filter((psp) => findManifest(psp).card).map(contracts.confirmIntent),
    ...contracts.payerCalls,
    contracts.requestRefund,
    contracts.cancelGroup,
    contracts.updateGroup,
    contracts.rollCheckoutLink,
    contracts.rollOrganiserToken,
    contracts.mintSession,
    contracts.listSigningKeys,
    ...contracts.webhookCalls,
    ...contracts.eventStreamCalls,
    contracts.findTestClock,
    contracts.advanceTestClock,
    contracts.resetTestClock,
  ],
  publishes: [contracts.noteKeyExposure, contracts.noteKeyUse].flatMap(({ filters }) => filters),
  listens: [...facts, ...notes, FAILED],
  announces: notes,
};
