import type { BusAccess } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { pspCodes } from '@gp/gateway-registry';

const { groupChanged, sessionEpochRaised, signingKeysChanged } = contracts;
const facts = [...sessionEpochRaised.filters, ...signingKeysChanged.filters];

/** What checkout does on the bus; `npm run generate` writes its permissions from this and from its subscriptions. */
export const access: BusAccess = {
  name: 'checkout',
  serves: [
    contracts.startPayment,
    contracts.beginConfirmation,
    contracts.mintSession,
    contracts.revokeSessions,
    contracts.rollCheckoutLink,
    contracts.listSigningKeys,
    contracts.replaceSigningKeys,
    ...contracts.operatorCalls('checkout'),
  ],
  calls: [
    contracts.reserveSlots,
    contracts.releaseIntent,
    contracts.beginAuthorisation,
    contracts.findGroup,
    contracts.findGroupByPageToken,
    contracts.rollPageToken,
    contracts.findOrganisedGroup,
    contracts.organiserExtend,
    contracts.organiserCancel,
    contracts.findIntent,
    contracts.hideName,
    contracts.listPayments,
    ...pspCodes.map(contracts.prepareIntent),
  ],
  publishes: facts,
  listens: [`${groupChanged.subject}.*`, ...facts],
};
