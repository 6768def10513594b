import { byOperator, type Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Service } from '@gp/service';
import type { Logger } from '@gp/telemetry';
import { listMovements } from '../app/books/list-movements.ts';
import { findBalance, findStatement } from '../app/books/money.ts';
import { allocationUnits } from '../app/groups/allocation-unit.ts';
import { askGateway, cancelGroupAsOperator, giveUpCaptures, retryCaptures } from '../app/operator/operate.ts';
import { addOperatorKey, listOperatorKeys, revokeOperatorKey } from '../app/operator/operator-keys.ts';
import { identifyOperator, verifyOperator } from '../app/operator/verify-operator.ts';
import { beginAuthorisation } from '../app/payments/begin-authorisation.ts';
import { cancelGroup } from '../app/groups/cancel-group.ts';
import type { LedgerParts } from '../app/change/change-group.ts';
import { createGroups } from '../app/groups/create-groups.ts';
import { countOpenGroups, describeGroup, sumMoney } from '../app/groups/describe-group.ts';
import { noteGateway } from '../app/gateways/follow-gateways.ts';
import {
  findGroup,
  findGroupByPageToken,
  findIntent,
  findOrganisedGroup,
  listGroups,
} from '../app/groups/find-groups.ts';
import { organiserCancel, organiserExtend } from '../app/groups/organiser-commands.ts';
import { findCustomer } from '../app/customers/find-customer.ts';
import { findCustomers, listCustomers } from '../app/customers/list-customers.ts';
import { searchCustomers } from '../app/customers/search-customers.ts';
import { forgetCustomer } from '../app/operator/forget-customer.ts';
import { findRefund } from '../app/refunds/find-refund.ts';
import { findGroupByOrder, sumGroups } from '../app/groups/look-up-groups.ts';
import { inspectGroup } from '../app/operator/inspect-group.ts';
import {
  findReconciliation,
  listReconciliations,
  startReconciliation,
} from '../app/reconciliation/reconciliations.ts';
import { listPayments, listPaymentsOfCustomer, listPaymentsOfGroups } from '../app/payments/list-payments.ts';
import { openRefund } from '../app/refunds/open-refund.ts';
import { previewRefund } from '../app/refunds/preview-refund.ts';
import { recordOutcome } from '../app/payments/record-outcome.ts';
import { hideName } from '../app/payments/hide-name.ts';
import { releaseIntent } from '../app/payments/release-intent.ts';
import { rollOrganiserToken, rollPageToken } from '../app/groups/roll-link.ts';
import { reserveSlots } from '../app/payments/reserve-slots.ts';
import { searchGroups } from '../app/groups/search-groups.ts';
import { updateGroup } from '../app/groups/update-group.ts';

/** Every query and command that the ledger handles. */
export function answerCalls(
  service: Pick<Service<unknown>, 'serve' | 'serveBatch'>,
  bus: Bus,
  parts: LedgerParts,
): void {
  const { db, log } = parts;
  const create = createGroups({ ...parts, findAmountUnit: allocationUnits(db) });
  service.serveBatch(bus, contracts.createGroup, (commands) =>
    Promise.all(commands.map(({ command, ...caller }) => create(command, caller).catch(asVerdict(log)))),
  );
  const note = noteGateway(parts);
  service.serve(bus, contracts.noteGateway, (connection) => note(connection).then(() => ({})));
  service.serve(bus, contracts.findGroup, findGroup(db));
  service.serve(bus, contracts.findGroupByPageToken, findGroupByPageToken(db));
  service.serve(bus, contracts.rollPageToken, rollPageToken(parts));
  service.serve(bus, contracts.findOrganisedGroup, findOrganisedGroup(db));
  service.serve(bus, contracts.organiserExtend, organiserExtend(parts));
  service.serve(bus, contracts.organiserCancel, organiserCancel(parts));
  service.serve(bus, contracts.rollOrganiserToken, rollOrganiserToken(parts));
  service.serve(bus, contracts.listGroups, listGroups(db));
  service.serve(bus, contracts.sumGroups, sumGroups(db));
  service.serve(bus, contracts.findGroupByOrder, findGroupByOrder(db));
  service.serve(bus, contracts.searchGroups, searchGroups(db));
  service.serve(bus, contracts.findIntent, findIntent(db));
  service.serve(bus, contracts.listPayments, listPayments(db));
  service.serve(bus, contracts.listPaymentsOfGroups, listPaymentsOfGroups(db));
  service.serve(bus, contracts.listPaymentsOfCustomer, listPaymentsOfCustomer(db));
  service.serve(bus, contracts.listCustomers, listCustomers(db));
  service.serve(bus, contracts.findCustomer, findCustomer(db));
  service.serve(bus, contracts.findCustomers, findCustomers(db));
  service.serve(bus, contracts.searchCustomers, searchCustomers(db));
  service.serve(bus, contracts.reserveSlots, reserveSlots(parts));
  service.serve(bus, contracts.releaseIntent, releaseIntent(parts));
  service.serve(bus, contracts.hideName, hideName(parts));
  service.serve(bus, contracts.beginAuthorisation, beginAuthorisation(parts));
  service.serve(bus, contracts.recordOutcome, recordOutcome(parts));
  service.serve(bus, contracts.cancelGroup, cancelGroup(parts));
  service.serve(bus, contracts.updateGroup, updateGroup(parts));
  service.serve(bus, contracts.openRefund, openRefund(parts));
  service.serve(bus, contracts.findRefund, findRefund(db));
  service.serve(bus, contracts.previewRefund, previewRefund(db));
  service.serve(bus, contracts.describeGroup, describeGroup(db));
  service.serve(bus, contracts.sumMoney, sumMoney(db));
  service.serve(bus, contracts.countOpenGroups, countOpenGroups(db));
  service.serve(bus, contracts.findBalance, findBalance(db));
  service.serve(bus, contracts.findStatement, findStatement(db));
  service.serve(bus, contracts.listMovements, listMovements(db));
  answerOperators(service, bus, parts);
}

/** The calls of the operator's command line. */
function answerOperators(service: Pick<Service<unknown>, 'serve'>, bus: Bus, parts: LedgerParts): void {
  const { db } = parts;
  service.serve(bus, contracts.inspectGroup, inspectGroup(db));
  service.serve(bus, contracts.listGroupsForOperator, listGroups(db));
  service.serve(bus, contracts.findGroupByOrderForOperator, findGroupByOrder(db));
  service.serve(bus, contracts.cancelGroupAsOperator, byOperator(cancelGroupAsOperator(parts)));
  service.serve(bus, contracts.retryCaptures, byOperator(retryCaptures(parts)));
  service.serve(bus, contracts.giveUpCaptures, byOperator(giveUpCaptures(parts)));
  service.serve(bus, contracts.askGateway, byOperator(askGateway(parts)));
  service.serve(bus, contracts.forgetCustomer, byOperator(forgetCustomer(parts)));
  service.serve(bus, contracts.startReconciliation, byOperator(startReconciliation(parts)));
  service.serve(bus, contracts.findReconciliation, findReconciliation(db));
  service.serve(bus, contracts.listReconciliations, listReconciliations(db));
  service.serve(bus, contracts.verifyOperator, verifyOperator(parts));
  service.serve(bus, contracts.identifyOperator, byOperator(identifyOperator(db)));
  service.serve(bus, contracts.addOperatorKey, byOperator(addOperatorKey(db)));
  service.serve(bus, contracts.listOperatorKeys, listOperatorKeys(db));
  service.serve(bus, contracts.revokeOperatorKey, byOperator(revokeOperatorKey(db)));
}

/** A failed command fails alone and not with its batch; an internal error is logged here, where its cause is known. */
function asVerdict(log: Logger): (error: unknown) => AppError {
  return (error) => {
    if (error instanceof AppError) return error;
    log.error({ subject: contracts.createGroup.subject, err: error }, 'a group could not be created');
    return new AppError('internal_error', {}, { cause: error });
  };
}
