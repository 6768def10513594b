import type { Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Service } from '@gp/service';
import { allocationUnits } from '../app/allocation-unit.ts';
import { beginAuthorisation } from '../app/begin-authorisation.ts';
import { cancelGroup } from '../app/cancel-group.ts';
import type { LedgerParts } from '../app/change-group.ts';
import { createGroups } from '../app/create-groups.ts';
import { followGateways } from '../app/follow-gateways.ts';
import { findGroup, findGroupByPageToken, findIntent, listGroups } from '../app/find-groups.ts';
import { openRefund } from '../app/open-refund.ts';
import { recordOutcome } from '../app/record-outcome.ts';
import { releaseIntent } from '../app/release-intent.ts';
import { reserveSlots } from '../app/reserve-slots.ts';

/** Every question and command the ledger answers. */
export function answerCalls(
  service: Pick<Service<unknown>, 'serve' | 'serveBatch'>,
  bus: Bus,
  parts: LedgerParts,
): void {
  const { db } = parts;
  const create = createGroups({ ...parts, unitOf: allocationUnits(db) });
  service.serveBatch(bus, contracts.createGroup, (commands) =>
    Promise.all(commands.map(({ command }) => create(command).catch(asVerdict))),
  );
  const follow = followGateways(parts);
  service.serve(bus, contracts.noteGateway, (connection) => follow(connection).then(() => ({})));
  service.serve(bus, contracts.findGroup, findGroup(db));
  service.serve(bus, contracts.findGroupByPageToken, findGroupByPageToken(db));
  service.serve(bus, contracts.listGroups, listGroups(db));
  service.serve(bus, contracts.findIntent, findIntent(db));
  service.serve(bus, contracts.reserveSlots, reserveSlots(parts));
  service.serve(bus, contracts.releaseIntent, releaseIntent(parts));
  service.serve(bus, contracts.beginAuthorisation, beginAuthorisation(parts));
  service.serve(bus, contracts.recordOutcome, recordOutcome(parts));
  service.serve(bus, contracts.cancelGroup, cancelGroup(parts));
  service.serve(bus, contracts.openRefund, openRefund(parts));
}

/** One command's failure is its own verdict and never its batch's. */
function asVerdict(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('internal_error', {}, { cause: error });
}
