import type { Bus } from '@gp/bus';
import { groupChanged } from '@gp/contracts';
import type { LedgerParts } from '../app/change/change-group.ts';

/** Publishes that a group changed, for the pages that follow it at this moment; costs a few bytes where none does. */
export function publishChanges(bus: Bus): LedgerParts['publishChange'] {
  return (change) => bus.announce(`${groupChanged.subject}.${change.group_id}`, change);
}
