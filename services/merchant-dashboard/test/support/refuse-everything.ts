import type { Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { notFound } from '@gp/errors';

/** All calls to other services about a merchant's objects of one mode. */
const asked = [
  contracts.listGroups,
  contracts.describeGroup,
  contracts.previewRefund,
  contracts.cancelGroup,
  contracts.rollCheckoutLink,
  contracts.sumGroups,
  contracts.findGroupByOrder,
  contracts.sumMoney,
  contracts.requestRefund,
  contracts.createEndpoint,
  contracts.listEndpoints,
  contracts.findEndpoint,
  contracts.updateEndpoint,
  contracts.deleteEndpoint,
  contracts.rollSecret,
  contracts.listDeliveries,
  contracts.listGroupDeliveries,
  contracts.resendDelivery,
  contracts.sendTestEvent,
  contracts.startRecovery,
  contracts.findRecovery,
  contracts.sumAttempts,
  contracts.listEvents,
  contracts.findTestClock,
  contracts.advanceTestClock,
  contracts.resetTestClock,
  contracts.countOpenGroups,
  contracts.findEvent,
] as const;

type Asked = Record<string, unknown>;

/** Replaces every other service by one that has no data and records each request before it replies. */
export function refuseEverything(
  bus: Bus,
  onAsked: (request: Asked) => void | Promise<void> = () => undefined,
): void {
  for (const contract of asked)
    bus.serve<Asked, Asked>(contract, async (request) => {
      await onAsked(request);
      throw notFound('thing');
    });
}
