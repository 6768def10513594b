import type { Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { notFound } from '@gp/errors';

/** All calls to other services about a merchant's objects of one mode. */
const asked = [
  contracts.listGroups,
  contracts.describeGroup,
  contracts.listPayments,
  contracts.listPaymentsOfGroups,
  contracts.previewRefund,
  contracts.cancelGroup,
  contracts.rollCheckoutLink,
  contracts.rollOrganiserToken,
  contracts.sumGroups,
  contracts.searchGroups,
  contracts.listCustomers,
  contracts.findCustomer,
  contracts.searchCustomers,
  contracts.listPaymentsOfCustomer,
  contracts.sumMoney,
  contracts.findBalance,
  contracts.findStatement,
  contracts.listMovements,
  contracts.requestRefund,
  ...contracts.webhookCalls,
  contracts.listGroupDeliveries,
  contracts.sumAttempts,
  contracts.listRequestLogs,
  contracts.findRequestLog,
  contracts.findTestClock,
  contracts.advanceTestClock,
  contracts.resetTestClock,
  contracts.countOpenGroups,
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
